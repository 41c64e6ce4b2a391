// Splits the stream into lines and answers them slice by slice: lines are decoded and profiled in parallel, then added
// or looked up in order, then synced once. Memory is bounded by the batch, the longest line allowed, and one slice.
#include "serve/bulk_conversation.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "memory/release_memory.h"

namespace paraprint::inline service {
namespace {

// Includes the carriage return of files written on Windows.
bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

// Removes the first line from `lines` and returns it without its line end.
std::string_view take_line(std::string_view& lines) {
  const std::size_t end = lines.find('\n');
  const std::string_view line = lines.substr(0, end);
  lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  return line;
}

}  // namespace

// First completes the line that earlier bytes began, then finds the complete lines, then keeps the rest.
void BulkConversation::give(std::string_view bytes, bool is_end) {
  prepared_.clear();  // refers to the earlier bytes
  next_prepared_ = 0;
  unprepared_ = {};
  bool is_line_open = is_skipping_ || !rest_.empty();
  if (is_line_open) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end == std::string_view::npos ? end : end + 1);
    bytes.remove_prefix(piece.size());
    if (!is_skipping_) rest_ += piece;
    // One byte more than allowed is kept of a line that is too long; prepare_lines() recognises it by that.
    if (rest_.size() > service_.limits().max_body_bytes + 1) {
      rest_.resize(service_.limits().max_body_bytes + 1);
      is_skipping_ = true;
    }
    is_line_open = end == std::string_view::npos;
    if (!is_line_open) {
      joined_line_ = std::exchange(rest_, {});
      is_skipping_ = false;
      unprepared_[0] = joined_line_;
    }
  }
  const std::size_t last_end = bytes.rfind('\n');
  unprepared_[1] = bytes.substr(0, last_end == std::string_view::npos ? 0 : last_end + 1);
  if (!is_line_open) rest_ = bytes.substr(unprepared_[1].size());
  if (!is_end) return;
  last_line_ = std::exchange(rest_, {});
  unprepared_[2] = last_line_;
}

bool BulkConversation::has_lines() const {
  return next_prepared_ < prepared_.size() ||
         std::any_of(unprepared_.begin(), unprepared_.end(), [](std::string_view lines) { return !lines.empty(); });
}

std::optional<BulkConversation::BulkLine> BulkConversation::next_line() {
  for (std::string_view& lines : unprepared_) {
    while (!lines.empty()) {
      const std::string_view text = take_line(lines);
      ++line_number_;
      if (!is_blank(text)) return BulkLine{line_number_, text};
    }
  }
  return std::nullopt;
}

void BulkConversation::prepare_lines(const ParallelRunner& run) {
  prepared_.clear();
  next_prepared_ = 0;
  while (prepared_.size() < kLinesPrepared) {
    std::optional<BulkLine> line = next_line();
    if (!line) break;
    prepared_.push_back(std::move(*line));
  }
  const std::uint64_t limit = service_.limits().max_body_bytes;
  // Each part writes only its own line, so the parts need no lock.
  run(prepared_.size(), [&](std::size_t i) {
    if (service_.is_cut_off()) return;
    BulkLine& line = prepared_[i];
    line.page = line.text.size() <= limit
                    ? service_.prepare_line(line.text, defaults_)
                    : refuse(Refusal::kBodyTooLarge, fmt::format("the line is longer than {} bytes", limit));
  });
}

void BulkConversation::release_lines() {
  release_memory(joined_line_, last_line_, prepared_);
  next_prepared_ = 0;
}

// One by one: the order of the lines decides which of two equal pages is the copy.
std::string BulkConversation::answer_lines(const ParallelRunner& run) {
  slice_.clear();
  std::string answers;
  while (answers.size() < kAnswerSliceBytes && has_lines() && !service_.is_cut_off()) {
    if (next_prepared_ == prepared_.size()) prepare_lines(run);
    if (next_prepared_ == prepared_.size()) break;  // the lines left were blank
    const BulkLine& line = prepared_[next_prepared_];
    slice_.push_back(line.number);
    answers += service_.answer_line(call_, line.page, line.number);
    ++next_prepared_;
  }
  if (!has_lines()) release_lines();
  if (slice_.empty()) return answers;
  if (const Answer<void> durable = service_.make_lines_durable(call_); !durable) {
    // It is unknown which of these pages are durable, so none of the answers may be returned.
    answers.clear();
    for (const std::uint64_t number : slice_) {
      answers += service_.answer_line(call_, tl::unexpected<Refused>(durable.error()), number);
    }
  }
  lines_answered_ += slice_.size();
  return answers;
}

std::optional<std::string> BulkConversation::answer_slice(const ParallelRunner& run) noexcept {
  try {
    return answer_lines(run);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void BulkConversation::lose_slice() {
  lines_answered_ -= slice_.size();
  if (!slice_.empty()) lost_line_ = slice_.front();
}

std::string BulkConversation::break_off(const Refused& refused) {
  std::uint64_t number = line_number_ + 1;
  if (next_prepared_ < prepared_.size()) number = prepared_[next_prepared_].number;
  return service_.answer_line(call_, tl::unexpected<Refused>(refused), lost_line_.value_or(number));
}

}  // namespace paraprint::inline service
