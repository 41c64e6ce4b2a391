// Block building as a small state machine: spaces, cell separators and line breaks are only noted when they occur and
// are written before the next character, so a block never starts or ends with them. Text is copied in stretches and
// scanned eight bytes at a time where possible.
#include "extract/block_builder.h"

#include <algorithm>
#include <cstring>

#include "html/tag_traits.h"
#include "html/walker.h"

namespace paraprint::inline extract {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

// Blank characters that CSS preserves but that authors use for indentation and empty lines; trimmed at the ends of
// blocks.
constexpr std::string_view kBlanks[] = {"\u00A0", "\u3000", "\u200B", "\uFEFF", "\u2003", "\u2002"};

std::size_t leading_blank_bytes(std::string_view text) {
  if (is_space(text.front())) return 1;
  if (static_cast<unsigned char>(text.front()) < 0x80) return 0;
  for (const std::string_view blank : kBlanks) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

std::size_t trailing_blank_bytes(std::string_view text) {
  if (is_space(text.back())) return 1;
  if (static_cast<unsigned char>(text.back()) < 0x80) return 0;
  for (const std::string_view blank : kBlanks) {
    if (text.ends_with(blank)) return blank.size();
  }
  return 0;
}

std::string_view trim_front(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = leading_blank_bytes(text);
    if (size == 0) break;
    text.remove_prefix(size);
  }
  return text;
}

bool is_blank(std::string_view text) {
  return trim_front(text).empty();
}

// Skips eight bytes at a time as long as they can be copied unchanged: no control characters and no two spaces in a
// row. If the eighth byte is a space, the next step starts at it, because the byte after it may be a space too.
const char* pass_over_plain_words(const char* p, const char* end) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  constexpr std::uint64_t kHighBits = kOnes * 0x80;
  constexpr std::uint64_t kLowBits = ~kHighBits;
  while (end - p >= 8) {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof(word));
    // Classic byte-parallel tests: bytes below ' ', and bytes equal to ' ' (zero after the xor). Bytes with the high
    // bit set, the rest of UTF-8, pass both.
    const std::uint64_t controls = (word - kOnes * ' ') & ~word & kHighBits;
    const std::uint64_t apart = word ^ kOnes * ' ';  // zero bytes at spaces
    const std::uint64_t spaces = ~(((apart & kLowBits) + kLowBits) | apart | kLowBits);
    if ((controls | (spaces & spaces >> 8)) != 0) break;
    p += 8 - (spaces >> 63);
  }
  return p;
}

// Appends `text`, which has no leading white space, with each inner run of white space as one space and without
// trailing white space. Copies whole stretches; a stretch ends only at white space other than a single ' '.
void append_inner_collapsed(std::string_view text, std::string& out) {
  const char* const end = text.data() + text.size();
  const char* begin = text.data();
  const char* p = begin;
  while ((p = pass_over_plain_words(p, end)) != end) {
    if (static_cast<unsigned char>(*p) > ' ' || !is_space(*p) || (*p == ' ' && p + 1 != end && !is_space(p[1]))) {
      ++p;
      continue;
    }
    out.append(begin, static_cast<std::size_t>(p - begin));
    while (p != end && is_space(*p)) ++p;
    if (p != end) out.push_back(' ');
    begin = p;
  }
  out.append(begin, static_cast<std::size_t>(end - begin));
}

// A cell is simple if it contains only inline content, or a single <p> or <div> with only inline content.
bool is_simple_cell(const HtmlNode* cell) {
  const HtmlNode* only_block = nullptr;
  bool has_inline = false;
  for (const HtmlNode* child = cell->first_child; child != nullptr; child = child->next) {
    if (is_text(child)) {
      has_inline |= !is_blank(text_of(child));
    } else if (is_block_element(child)) {
      if (only_block != nullptr || has_inline || (tag_of(child) != LXB_TAG_P && tag_of(child) != LXB_TAG_DIV))
        return false;
      only_block = child;
    } else if (is_element(child) && only_block != nullptr) {
      return false;
    }
  }
  if (only_block == nullptr) return true;
  for (const HtmlNode* child = only_block->first_child; child != nullptr; child = child->next) {
    if (is_block_element(child)) return false;
  }
  return true;
}

// Whether a row is a data row: at least two cells, all of them simple. Layout tables nearly always fail this test.
bool is_data_row(const HtmlNode* row) {
  std::size_t cells = 0;
  for (const HtmlNode* child = row->first_child; child != nullptr; child = child->next) {
    if (!is_element(child) || (tag_traits(tag_of(child)) & kTagTableCell) == 0) continue;
    if (!is_simple_cell(child)) return false;
    ++cells;
  }
  return cells > 1;
}

// Walks a subtree for add_subtree(), skipping hidden elements.
class SubtreeVisitor {
 public:
  SubtreeVisitor(const HtmlDocument& document, BlockBuilder& builder, StopCheck& stop)
      : document_(document), builder_(builder), stop_(stop) {}

  WalkAction enter(const HtmlNode* node, std::uint32_t) {
    if (is_text(node)) {
      builder_.add_text(text_of(node), node->parent);
      return stop_.after(StopCheck::kUnitsPerNode + text_of(node).size()) ? WalkAction::kStop : WalkAction::kContinue;
    }
    if (stop_.after(StopCheck::kUnitsPerNode)) return WalkAction::kStop;
    if (!is_element(node)) return WalkAction::kSkipSubtree;
    if ((tag_traits(tag_of(node)) & kTagNeverText) != 0 || document_.is_hidden(node)) return WalkAction::kSkipSubtree;
    builder_.enter_element(node);
    return WalkAction::kContinue;
  }
  void leave(const HtmlNode* node, std::uint32_t) { builder_.leave_element(node); }

 private:
  const HtmlDocument& document_;
  BlockBuilder& builder_;
  StopCheck& stop_;
};

}  // namespace

void BlockBuilder::begin(MainContent& content, std::vector<ContentRun>* runs) {
  content.clear();
  content_ = &content;
  content_runs_ = runs;
  if (runs != nullptr) runs->clear();
  contexts_.clear();
  rows_.clear();
  in_block_ = space_pending_ = cell_pending_ = break_pending_ = false;
  preserve_depth_ = 0;
  list_level_ = 0;
}

void BlockBuilder::finish() {
  end_block();
  content_ = nullptr;
  content_runs_ = nullptr;
}

// The order of the checks matters: inside a data row or <pre>, block elements must not end the block.
void BlockBuilder::enter_element(const HtmlNode* element) {
  const HtmlTag tag = tag_of(element);
  const std::uint16_t traits = tag_traits(tag);
  if (traits == 0) return;
  if ((traits & kTagLineBreak) != 0) {
    break_line();
    return;
  }
  if ((traits & kTagBlock) == 0) return;
  if (!rows_.empty()) {
    add_border_in_row(traits);
    return;
  }
  // Within <pre>, a block element only begins a new line: code viewers wrap each line in an element.
  if (preserve_depth_ > 0) {
    if ((traits & kTagPreserve) == 0) {
      break_line();
    } else {
      ++preserve_depth_;
    }
    return;
  }
  end_block();
  if ((traits & kTagHeading) != 0) {
    push_context(BlockRole::kHeading, heading_level(tag));
  } else if ((traits & kTagList) != 0) {
    ++list_level_;
  } else if ((traits & kTagListItem) != 0) {
    push_context(BlockRole::kListItem);
  } else if ((traits & kTagQuote) != 0) {
    push_context(BlockRole::kQuote);
  } else if ((traits & kTagPreserve) != 0) {
    push_context(BlockRole::kCode);
    ++preserve_depth_;
  } else if ((traits & kTagTableRow) != 0 && is_data_row(element)) {
    push_context(BlockRole::kTableRow);
    rows_.push_back(element);
  }
}

// Mirrors enter_element(). Contexts are popped by tag, because the elements on the stack are properly nested.
void BlockBuilder::leave_element(const HtmlNode* element) {
  const std::uint16_t traits = tag_traits(tag_of(element));
  if ((traits & kTagBlock) == 0) return;
  if (!rows_.empty()) {
    if (rows_.back() != element) {
      add_border_in_row(traits);
      return;
    }
    end_block();
    rows_.pop_back();
    contexts_.pop_back();
    return;
  }
  if (preserve_depth_ > 0) {
    if ((traits & kTagPreserve) == 0) {
      break_line();
      return;
    }
    if (--preserve_depth_ > 0) return;
  }
  end_block();
  constexpr std::uint16_t kWithContext = kTagHeading | kTagListItem | kTagQuote | kTagPreserve;
  if ((traits & kWithContext) != 0 && !contexts_.empty()) contexts_.pop_back();
  if ((traits & kTagList) != 0 && list_level_ > 0) --list_level_;
}

// A data row is one block; its cells, and a <p> or <div> in a cell, do not end it. In an inline element, such as one
// that a script defines, a cell may have further blocks and even tables.
void BlockBuilder::add_border_in_row(std::uint16_t traits) {
  if ((traits & kTagTableCell) != 0) {
    cell_pending_ = true;
  } else {
    space_pending_ = true;
  }
}

void BlockBuilder::add_text(std::string_view text, const HtmlNode* parent) {
  if (preserve_depth_ > 0) {
    append_preserved(text);
  } else {
    append_collapsed(text);
  }
  if (content_runs_ != nullptr) record_run(parent);
}

// The text that was added last, if there was any, belongs to `parent`.
void BlockBuilder::record_run(const HtmlNode* parent) {
  const auto end = static_cast<std::uint32_t>(content_->text.size());
  std::vector<ContentRun>& runs = *content_runs_;
  if (end == (runs.empty() ? 0 : runs.back().end_bytes)) return;
  if (!runs.empty() && runs.back().element == parent) {
    runs.back().end_bytes = end;
  } else {
    runs.push_back({end, parent});
  }
}

// Text that was taken back belongs to no run.
void BlockBuilder::cut_runs() {
  const auto end = static_cast<std::uint32_t>(content_->text.size());
  std::vector<ContentRun>& runs = *content_runs_;
  while (runs.size() > 1 && runs[runs.size() - 2].end_bytes >= end) runs.pop_back();
  if (!runs.empty()) runs.back().end_bytes = std::min(runs.back().end_bytes, end);
}

// In running text a line break is a space, and a second one ends the block. In preserved text it is a line end, written
// once where the borders of several elements coincide.
void BlockBuilder::break_line() {
  if (!in_block_) return;
  if (preserve_depth_ > 0) {
    if (content_->text.back() != '\n') content_->text.push_back('\n');
  } else if (break_pending_ && rows_.empty()) {
    end_block();
  } else {
    break_pending_ = true;
    space_pending_ = true;
  }
}

// Starts a block or writes the pending separator. A cell separator replaces a pending space.
void BlockBuilder::begin_text() {
  if (!in_block_) {
    block_begin_bytes_ = content_->text.size();
    in_block_ = true;
  } else if (cell_pending_) {
    content_->text.append(kCellSeparator);
  } else if (space_pending_) {
    content_->text.push_back(' ');
  }
  cell_pending_ = space_pending_ = break_pending_ = false;
}

// Special blanks (kBlanks) are trimmed only at the start of a block, cell or line; between words they are text.
void BlockBuilder::append_collapsed(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_space(text[begin])) ++begin;
  if (begin > 0 && in_block_) space_pending_ = true;
  text.remove_prefix(begin);
  if (!in_block_ || cell_pending_ || break_pending_) text = trim_front(text);
  if (text.empty()) return;
  begin_text();
  space_pending_ = is_space(text.back());
  append_inner_collapsed(text, content_->text);
}

void BlockBuilder::append_preserved(std::string_view text) {
  if (text.empty()) return;
  if (!in_block_) {
    // Drop empty lines before the first line of code, and the first line's indentation.
    const std::string_view rest = trim_front(text);
    if (rest.empty()) return;
    const std::size_t line_end = text.substr(0, text.size() - rest.size()).rfind('\n');
    if (line_end != std::string_view::npos) text.remove_prefix(line_end + 1);
    text = trim_front(text);
  }
  begin_text();
  std::string& out = content_->text;
  // CR and CR LF, which character references can produce, become LF.
  for (;;) {
    const std::size_t end = std::min(text.find('\r'), text.size());
    out.append(text.substr(0, end));
    if (end == text.size()) break;
    out.push_back('\n');
    text.remove_prefix(end + 1);
    if (text.starts_with('\n')) text.remove_prefix(1);
  }
}

// Trims the block's end, discards it if nothing is left, and records its role. The line end after each block is part of
// the text but of no block.
void BlockBuilder::end_block() {
  if (!in_block_) return;
  in_block_ = space_pending_ = cell_pending_ = break_pending_ = false;
  std::string& text = content_->text;
  while (text.size() > block_begin_bytes_) {
    const std::size_t size = trailing_blank_bytes(std::string_view(text).substr(block_begin_bytes_));
    if (size == 0) break;
    text.erase(text.size() - size);
  }
  if (content_runs_ != nullptr) cut_runs();
  if (text.size() == block_begin_bytes_) return;
  TextBlock block;
  block.span = {static_cast<std::uint32_t>(block_begin_bytes_), static_cast<std::uint32_t>(text.size())};
  if (!contexts_.empty()) {
    block.role = contexts_.back().role;
    block.heading_level = contexts_.back().heading_level;
  }
  block.list_level = static_cast<std::uint8_t>(std::min(list_level_, std::uint32_t{255}));
  content_->blocks.push_back(block);
  text.push_back('\n');
}

void BlockBuilder::add_subtree(const HtmlDocument& document, const HtmlNode* root, StopCheck& stop) {
  SubtreeVisitor visitor(document, *this, stop);
  walk_tree(root, visitor);
}

void assign_collapsed(std::string_view text, std::string& out) {
  out.clear();
  text = trim_front(text);
  append_inner_collapsed(text, out);
  while (!out.empty()) {
    const std::size_t size = trailing_blank_bytes(out);
    if (size == 0) break;
    out.erase(out.size() - size);
  }
}

}  // namespace paraprint::inline extract
