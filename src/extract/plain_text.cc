// Text extracted from pages (WET, data sets) has one paragraph per line, text written as text is wrapped at a fixed
// width. A first pass decides which of the two it is, since joining or splitting the wrong way would destroy the
// paragraphs.
#include "extract/plain_text.h"

#include <algorithm>

#include "extract/block_builder.h"

namespace paraprint::inline extract {
namespace {

constexpr std::size_t kMaxHeadingLevel = 6;
// Hand-wrapped text has lines of up to about 80 columns; a Chinese character takes three bytes for two columns.
constexpr std::size_t kMaxWrappedLineBytes = 132;
// A text counts as wrapped if its groups have at least this many lines on average.
constexpr std::size_t kMinLinesPerWrappedBlock = 2;

// Removes the first line from `text` and returns it without its line feed; a CR is trimmed later as white space.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(" \t\r\f\v") == std::string_view::npos;
}

// The number of '#' of a Markdown heading, otherwise 0.
std::size_t markdown_level(std::string_view line) {
  const std::size_t level = line.find_first_not_of('#');
  if (level == 0 || level == std::string_view::npos || level > kMaxHeadingLevel) return 0;
  return line[level] == ' ' ? level : 0;
}

// One long line proves that the text is not wrapped. A single group could be either; its lines are kept apart.
bool is_wrapped_by_hand(std::string_view text) {
  std::size_t lines = 0;
  std::size_t groups = 0;
  bool in_group = false;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.size() > kMaxWrappedLineBytes) return false;
    const bool has_text = !is_blank_line(line);
    lines += has_text;
    groups += has_text && !in_group;
    in_group = has_text;
  }
  return groups > 1 && lines >= kMinLinesPerWrappedBlock * groups;
}

class PlainTextWriter {
 public:
  explicit PlainTextWriter(MainContent& content) : content_(content) { builder_.begin(content); }
  ~PlainTextWriter() { builder_.finish(); }

  void add(std::string_view line) { builder_.add_text(line); }
  void add_space() { builder_.add_text(" "); }
  void end_block() { builder_.end_block(); }
  // The role is set afterwards: the builder knows headings only as elements.
  void add_heading(std::string_view line, std::size_t level) {
    end_block();
    const std::size_t blocks_before = content_.blocks.size();
    add(line);
    end_block();
    if (content_.blocks.size() == blocks_before) return;
    TextBlock& block = content_.blocks.back();
    block.role = BlockRole::kHeading;
    block.heading_level = static_cast<std::uint8_t>(level);
    if (content_.title.empty()) {
      content_.title.assign(content_.text, block.span.begin_bytes, block.span.size_bytes());
    }
  }

 private:
  MainContent& content_;
  BlockBuilder builder_;
};

}  // namespace

void extract_plain_text(std::string_view text, MainContent& content, const PlainTextOptions& options, StopCheck& stop) {
  const bool join_lines = is_wrapped_by_hand(text);
  PlainTextWriter writer(content);
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (stop.after(StopCheck::kUnitsPerNode + line.size())) return;
    if (is_blank_line(line)) {
      writer.end_block();
      continue;
    }
    const std::size_t level = options.markdown_headings ? markdown_level(line) : 0;
    if (level > 0) {
      writer.add_heading(line.substr(level), level);
      continue;
    }
    writer.add(line);
    if (join_lines) {
      writer.add_space();
    } else {
      writer.end_block();
    }
  }
}

}  // namespace paraprint::inline extract
