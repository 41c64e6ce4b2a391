// A bulk request: lines in, a line of answer for each, in their order, while both go on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "serve/page_service.h"
#include "serve/parallel_runner.h"

namespace paraprint {

// Holds at most a line and what take() is given. One thread at a time.
//
// With --sync always one sync makes all pages that one take() adds durable, before any of their answers is given.
//
// Pages of one take() are profiled side by side; the index is then asked in the order of the lines, so the second of
// two equal pages is the one that is the same as the other, whatever the number of threads.
class BulkConversation {
 public:
  BulkConversation(PageService& service, Call call, AddOptions defaults)
      : service_(service), call_(call), defaults_(defaults) {
    defaults_.wait_for_sync = false;
  }

  // The answers to the lines that end in `bytes`. A line that is too long, or wrong in any other way, gives an error in
  // its place, and the next one is read.
  std::string take(std::string_view bytes, const ParallelRunner& run);
  // The answer to what stands behind the last line end, if anything.
  std::string finish(const ParallelRunner& run);
  // A last line that says why there will be no more answers.
  std::string break_off(const Refused& refused);

  std::size_t held_bytes() const { return rest_.size(); }
  std::uint64_t lines_answered() const { return lines_answered_; }

 private:
  std::string answer(std::string_view lines, const ParallelRunner& run);

  PageService& service_;
  Call call_;
  AddOptions defaults_;
  std::string rest_;          // the begin of a line
  bool is_skipping_ = false;  // the rest of a line that was too long
  std::uint64_t line_number_ = 0;
  std::uint64_t lines_answered_ = 0;
};

}  // namespace paraprint
