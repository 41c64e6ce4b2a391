// A bulk request: for each input line one answer line, in the same order, while more lines are still coming in.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/page_service.h"
#include "serve/parallel_runner.h"

namespace paraprint::inline service {

// Answers are returned in slices of about this size: an answer can be a thousand times as long as its line, so those to
// a whole batch would not fit into memory.
inline constexpr std::size_t kAnswerSliceBytes = std::size_t{256} << 10;

// Holds one incomplete line, and of the bytes given to it the prepared pages of at most kLinesPrepared lines; once
// these are answered, the incomplete line alone. One thread at a time.
//
// With --sync always, one sync makes all pages added for a slice durable before any of its answers is returned.
//
// Pages are profiled in parallel; the index is then called in the order of the lines. So of two equal pages the second
// is always the copy, whatever the number of threads.
class BulkConversation {
 public:
  BulkConversation(PageService& service, Call call, AddOptions defaults)
      : service_(service), call_(call), defaults_(std::move(defaults)) {
    defaults_.wait_for_sync = false;
  }

  // Hands over the next bytes of the request; `is_end` if they are the last. Requires that has_lines() is false. They
  // must stay as they are until it is false again.
  void give(std::string_view bytes, bool is_end);

  // Whether there are complete lines without an answer.
  bool has_lines() const;

  // Answers the next lines, until the answers reach kAnswerSliceBytes or no line is left. A line that is too long or
  // invalid in any other way is answered with an error in its place, and the conversation continues. Nothing if there
  // is no memory for the lines or their answers: the conversation cannot continue then, and some of the lines without
  // an answer may have been added.
  std::optional<std::string> answer_slice(const ParallelRunner& run) noexcept;

  // The answers returned last will not be sent: their lines count as not answered.
  void lose_slice();

  // Returns a final line that says why there are no more answers, with the number of the first line without one.
  std::string break_off(const Refused& refused);

  std::size_t held_bytes() const { return rest_.size(); }
  std::uint64_t lines_answered() const { return lines_answered_; }

 private:
  // Blank lines are skipped but counted, so that "line" in an answer is the line of the client's file.
  struct BulkLine {
    std::uint64_t number = 0;
    std::string_view text;
    Answer<PreparedRequest> page = refuse(Refusal::kInternal, "");
  };
  // Limits the memory for prepared lines: a batch of a megabyte may have half a million of them.
  static constexpr std::size_t kLinesPrepared = 1024;

  std::optional<BulkLine> next_line();
  void prepare_lines(const ParallelRunner& run);
  // Frees what has_lines() needed while it was true: the client may wait for long before it sends more.
  void release_lines();
  std::string answer_lines(const ParallelRunner& run);

  PageService& service_;
  Call call_;
  AddOptions defaults_;
  std::string rest_;          // the beginning of an incomplete line
  bool is_skipping_ = false;  // dropping the rest of a line that is too long
  std::string joined_line_;   // a complete line that earlier bytes began
  std::string last_line_;     // of the request; need not have a line end
  // Lines that are not prepared yet: joined_line_, those that the bytes contain as a whole, and last_line_.
  std::array<std::string_view, 3> unprepared_;
  std::uint64_t line_number_ = 0;  // of the last prepared line, or of a blank one after it
  std::vector<BulkLine> prepared_;
  std::size_t next_prepared_ = 0;
  std::vector<std::uint64_t> slice_;        // numbers of the lines that the last slice answers
  std::optional<std::uint64_t> lost_line_;  // the first line of a lost slice
  std::uint64_t lines_answered_ = 0;
};

}  // namespace paraprint::inline service
