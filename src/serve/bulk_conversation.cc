// Splits the stream into lines and answers them in batches: each batch is decoded and profiled in parallel, then added
// or looked up in order, then synced once. Memory is bounded by the batch and the longest line allowed.
#include "serve/bulk_conversation.h"

#include <fmt/format.h>

#include <exception>
#include <utility>
#include <vector>

namespace paraprint {
namespace {

// Includes the carriage return of files written on Windows.
bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

// Blank lines are skipped but counted, so that "line" in an answer is the line of the client's file.
struct BulkLine {
  std::uint64_t number = 0;
  std::string_view text;
  Answer<PreparedRequest> page = refuse(Refusal::kInternal, "");
};

}  // namespace

std::string BulkConversation::answer(std::string_view lines, const ParallelRunner& run) {
  const std::uint64_t limit = service_.limits().max_body_bytes;
  std::vector<BulkLine> found;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::string_view text = lines.substr(0, end);
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    ++line_number_;
    if (!is_blank(text)) found.push_back({line_number_, text});
  }
  // Each part writes only its own line, so the parts need no lock.
  run(found.size(), [&](std::size_t i) {
    BulkLine& line = found[i];
    line.page = line.text.size() <= limit
                    ? service_.prepare_line(line.text, defaults_)
                    : refuse(Refusal::kBodyTooLarge, fmt::format("the line is longer than {} bytes", limit));
  });
  // One by one: the order of the lines decides which of two equal pages is the copy.
  std::string answers;
  for (const BulkLine& line : found) answers += service_.answer_line(call_, line.page, line.number);
  if (const Answer<void> durable = service_.make_lines_durable(call_); !durable) {
    // It is unknown which of these pages are durable, so none of the answers may be returned.
    answers.clear();
    for (const BulkLine& line : found) {
      answers += service_.answer_line(call_, tl::unexpected<Refused>(durable.error()), line.number);
    }
  }
  lines_answered_ += found.size();
  return answers;
}

// First completes the line that earlier bytes began, then answers the complete lines, then keeps the rest.
std::string BulkConversation::take(std::string_view bytes, const ParallelRunner& run) {
  std::string answers;
  if (is_skipping_ || !rest_.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end == std::string_view::npos ? end : end + 1);
    bytes.remove_prefix(piece.size());
    if (!is_skipping_) rest_ += piece;
    // One byte more than allowed is kept of a line that is too long; answer() recognises it by that.
    if (rest_.size() > service_.limits().max_body_bytes + 1) {
      rest_.resize(service_.limits().max_body_bytes + 1);
      is_skipping_ = true;
    }
    if (end == std::string_view::npos) return answers;
    answers = answer(rest_, run);
    rest_ = {};
    is_skipping_ = false;
  }
  const std::size_t last_end = bytes.rfind('\n');
  const std::size_t complete = last_end == std::string_view::npos ? 0 : last_end + 1;
  answers += answer(bytes.substr(0, complete), run);
  rest_ = bytes.substr(complete);
  return answers;
}

// The last line of a file often has no line end.
std::string BulkConversation::finish(const ParallelRunner& run) {
  return answer(std::exchange(rest_, {}), run);
}

Answer<std::string> BulkConversation::answer_batch(std::string_view bytes, bool is_end, const ParallelRunner& run) {
  try {
    std::string answers = take(bytes, run);
    if (is_end) answers += finish(run);
    return answers;
  } catch (const std::exception&) {
    return refuse(Refusal::kBusy, "out of memory; try again later, with shorter lines");
  }
}

// Numbered as the line that comes next, so the client knows which lines were not answered.
std::string BulkConversation::break_off(const Refused& refused) {
  return service_.answer_line(call_, tl::unexpected<Refused>(refused), line_number_ + 1);
}

}  // namespace paraprint
