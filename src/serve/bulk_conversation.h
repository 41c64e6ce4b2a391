// A bulk request: for each input line one answer line, in the same order, while more lines are still coming in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "serve/page_service.h"
#include "serve/parallel_runner.h"

namespace paraprint {

// Holds at most one incomplete line plus the bytes given to take(). One thread at a time.
//
// With --sync always, one sync makes all pages added by a take() durable before any of their answers is returned.
//
// The pages of one take() are profiled in parallel; the index is then called in the order of the lines. So of two equal
// pages the second is always the copy, whatever the number of threads.
class BulkConversation {
 public:
  BulkConversation(PageService& service, Call call, AddOptions defaults)
      : service_(service), call_(call), defaults_(defaults) {
    defaults_.wait_for_sync = false;
  }

  // Returns the answers to all lines that are completed by `bytes`. A line that is too long or invalid in any other way
  // is answered with an error in its place, and the conversation continues. std::bad_alloc if there is no memory for
  // the lines or their answers; the conversation cannot continue then.
  std::string take(std::string_view bytes, const ParallelRunner& run);
  // Returns the answer to a last line without line end, if there is one.
  std::string finish(const ParallelRunner& run);
  // take(), and finish() at the end, for a thread that no exception may leave: kBusy instead of std::bad_alloc. Some of
  // the lines without an answer may have been added.
  Answer<std::string> answer_batch(std::string_view bytes, bool is_end, const ParallelRunner& run);
  // Returns a final line that says why there are no more answers.
  std::string break_off(const Refused& refused);

  std::size_t held_bytes() const { return rest_.size(); }
  std::uint64_t lines_answered() const { return lines_answered_; }

 private:
  std::string answer(std::string_view lines, const ParallelRunner& run);

  PageService& service_;
  Call call_;
  AddOptions defaults_;
  std::string rest_;          // the beginning of an incomplete line
  bool is_skipping_ = false;  // dropping the rest of a line that is too long
  std::uint64_t line_number_ = 0;
  std::uint64_t lines_answered_ = 0;
};

}  // namespace paraprint
