// Block by block, in the order of the text. What is around a block (quotes, items of lists) is compared with what was
// around the one before it: what they share stays open, the rest begins anew. Rows of one table are written together.
#include "corpus/markdown_writer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "html/tag_traits.h"
#include "web/links.h"

namespace paraprint::inline corpus {
namespace {

bool is_container(const HtmlNode* node) {
  return is_element(node) && (tag_traits(tag_of(node)) & (kTagQuote | kTagListItem)) != 0;
}

bool is_list(const HtmlNode* node) {
  return node != nullptr && is_element(node) && (tag_traits(tag_of(node)) & kTagList) != 0;
}

// The list that an item belongs to, with or without a <div> in between; its parent in broken markup.
const HtmlNode* list_of(const HtmlNode* item) {
  const HtmlNode* const parent = item->parent;
  return !is_list(parent) && parent != nullptr && is_list(parent->parent) ? parent->parent : parent;
}

const HtmlNode* ancestor_with(std::uint16_t traits, const HtmlNode* node) {
  while (node != nullptr && !(is_element(node) && (tag_traits(tag_of(node)) & traits) != 0)) node = node->parent;
  return node;
}

const HtmlNode* table_of(const HtmlNode* node) {
  while (node != nullptr && !has_tag(node, LXB_TAG_TABLE)) node = node->parent;
  return node;
}

// The name of a programming language in a class: "language-cpp", "lang-js hljs", "highlight-source-go". Empty if there
// is none, or if it is not a name.
std::string_view language_in_class(std::string_view classes) {
  constexpr std::array<std::string_view, 3> kPrefixes = {"language-", "lang-", "highlight-source-"};
  constexpr std::size_t kLongestName = 24;
  while (!classes.empty()) {
    const std::size_t end = std::min(classes.find_first_of(" \t\n\r\f"), classes.size());
    const std::string_view name = classes.substr(0, end);
    for (const std::string_view prefix : kPrefixes) {
      if (!name.starts_with(prefix)) continue;
      const std::string_view language = name.substr(prefix.size());
      const bool is_name = std::all_of(language.begin(), language.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '#' ||
               c == '-' || c == '.' || c == '_';
      });
      if (is_name && !language.empty() && language.size() <= kLongestName) return language;
    }
    classes.remove_prefix(std::min(end + 1, classes.size()));
  }
  return {};
}

}  // namespace

HtmlAttributeSet MarkdownWriter::attributes_read() {
  return {HtmlAttribute::kClass, HtmlAttribute::kHref, HtmlAttribute::kStart};
}

void MarkdownWriter::write(const HtmlDocument& document, const MainContent& content, std::span<const ContentRun> runs,
                           std::string_view page_url, std::string& markdown, StopCheck& stop) {
  markdown.clear();
  document_ = &document;
  content_ = &content;
  runs_ = runs;
  run_ = 0;
  out_ = &markdown;
  open_.clear();
  last_block_ = nullptr;
  list_places_.clear();
  addresses_.clear();
  styles_.clear();
  class_languages_.clear();
  code_languages_.clear();
  if (!runs.empty()) set_base_of_page(document, page_url, parser_);
  bytes_read_maximum_ = address_bytes_maximum(parser_, document.input_bytes());
  for (std::size_t b = 0; b < content.blocks.size();) {
    const std::size_t begin = b;
    if (content.blocks[b].role == BlockRole::kTableRow) {
      b = write_table(b);
    } else {
      write_block(content.blocks[b++]);
    }
    const TextSpan written = {content.blocks[begin].span.begin_bytes, content.blocks[b - 1].span.end_bytes};
    if (stop.after(StopCheck::kUnitsPerNode + written.size_bytes())) break;
  }
  if (!markdown.empty()) markdown += '\n';
}

// Moves run_ to the first run of the block.
const HtmlNode* MarkdownWriter::element_of_block(const TextBlock& block) {
  while (run_ < runs_.size() && runs_[run_].end_bytes <= block.span.begin_bytes) ++run_;
  return run_ < runs_.size() ? runs_[run_].element : nullptr;
}

void MarkdownWriter::write_block(const TextBlock& block) {
  const HtmlNode* const element = element_of_block(block);
  enter_containers(element);
  const std::string_view text =
      std::string_view(content_->text).substr(block.span.begin_bytes, block.span.size_bytes());
  if (block.role == BlockRole::kCode) {
    write_code(text, element);
  } else if (block.role == BlockRole::kHeading) {
    out_->append(std::clamp<std::size_t>(block.heading_level, 1, 6), '#');
    *out_ += ' ';
    write_inline(block.span, InlineMarkdown::Place::kHeading);
  } else {
    write_inline(block.span, InlineMarkdown::Place::kLine);
  }
  last_block_ = &block;
}

// Leaves open_ with the containers of the block, writes what separates it from the block before it, and begins its
// first line.
void MarkdownWriter::enter_containers(const HtmlNode* element) {
  path_.clear();
  for (const HtmlNode* node = element; node != nullptr; node = node->parent) {
    if (is_container(node)) path_.push_back(node);
  }
  std::reverse(path_.begin(), path_.end());
  if (path_.size() > kMarkdownNestingMaximum) path_.resize(kMarkdownNestingMaximum);
  std::size_t common = 0;
  std::size_t marker_bytes = 0;
  for (; common < path_.size() && common < open_.size() && path_[common] == open_[common].node; ++common) {
    marker_bytes += open_[common].marker.size();
  }
  std::vector<Container> opened;
  for (std::size_t level = common; level < path_.size() && marker_bytes < kMarkerBytesMaximum; ++level) {
    const Container* const before = level == common && level < open_.size() ? &open_[level] : nullptr;
    opened.push_back((tag_traits(tag_of(path_[level])) & kTagQuote) != 0 ? Container{path_[level], nullptr, "> "}
                                                                         : item_container(path_[level], before));
    marker_bytes += opened.back().marker.size();
  }
  if (last_block_ != nullptr) {
    // Items of one list follow each other without an empty line, as does a list within an item.
    const bool is_plain = last_block_->role != BlockRole::kCode && last_block_->role != BlockRole::kTableRow;
    const bool is_item = !opened.empty() && opened.front().list != nullptr;
    const bool is_next_item = is_item && common < open_.size() && open_[common].list == opened.front().list;
    const bool is_inner_list = is_item && common == open_.size() && common > 0 && open_.back().list != nullptr &&
                               (opened.front().marker == "- " || opened.front().marker.starts_with("1."));
    open_.resize(common);
    *out_ += '\n';
    if (!is_plain || !(is_next_item || is_inner_list)) {
      new_from_ = common;
      write_empty_line();
    }
  }
  open_.resize(common);
  std::move(opened.begin(), opened.end(), std::back_inserter(open_));
  new_from_ = common;
  begin_line(true);
}

// What a line of the block begins with. Items that the block does not begin are indentation.
void MarkdownWriter::begin_line(bool is_first) {
  for (std::size_t level = 0; level < open_.size(); ++level) {
    const Container& container = open_[level];
    if (container.list == nullptr || (is_first && level >= new_from_)) {
      *out_ += container.marker;
    } else {
      out_->append(container.marker.size(), ' ');
    }
  }
}

void MarkdownWriter::write_empty_line() {
  begin_line(false);
  while (out_->ends_with(' ')) out_->pop_back();
  *out_ += '\n';
}

// `before` is the container that was open at this place. Lists that follow each other have different markers, because
// equal ones would make them one list.
MarkdownWriter::Container MarkdownWriter::item_container(const HtmlNode* item, const Container* before) {
  const HtmlNode* const list = list_of(item);
  const bool follows_list = before != nullptr && before->list != nullptr && before->list != list;
  const bool is_same = before != nullptr && before->list == list;
  Container container{item, list, ""};
  if (list != nullptr && has_tag(list, LXB_TAG_OL)) {
    char delimiter = '.';
    const auto is_delimiter = [&](char c) { return before->marker.size() > 1 && before->marker.end()[-2] == c; };
    if ((is_same && is_delimiter(')')) || (follows_list && is_delimiter('.'))) delimiter = ')';
    container.marker = std::to_string(number_of(list, item)) + delimiter + ' ';
  } else if ((is_same && before->marker == "* ") || (follows_list && before->marker == "- ")) {
    container.marker = "* ";
  } else {
    container.marker = "- ";
  }
  return container;
}

// The place of an item among those of its list. Items come in document order, so each child of the list is passed once;
// items that are not children themselves stand below one.
std::uint32_t MarkdownWriter::number_of(const HtmlNode* list, const HtmlNode* item) {
  constexpr std::uint32_t kLargestNumber = 999'999'999;  // of CommonMark: nine digits
  const auto is_counted = [](const HtmlNode* node, const ListPlace& place) {
    return has_tag(node, LXB_TAG_LI) && place.number < kLargestNumber;
  };
  ListPlace& place = list_places_[list];
  if (place.item == item) return place.number;
  const HtmlNode* const child = item->parent == list ? item : item->parent;
  const HtmlNode* node = nullptr;
  if (place.item == nullptr) {
    std::uint32_t first = 0;
    for (const char c : document_->attribute(list, HtmlAttribute::kStart).substr(0, 9)) {
      if (c < '0' || c > '9') {
        first = 0;
        break;
      }
      first = first * 10 + static_cast<std::uint32_t>(c - '0');
    }
    const bool has_start = document_->has_attribute(list, HtmlAttribute::kStart);
    place.number = has_start && first > 0 ? first - 1 : 0;
    node = list->first_child;
  } else if (place.child != child) {
    node = place.child->next;
  }
  for (; node != nullptr; node = node->next) {
    if (is_counted(node, place)) ++place.number;
    if (node == child) break;
  }
  if (child != item && is_counted(item, place)) ++place.number;
  place.item = item;
  place.child = child;
  return place.number;
}

// Whether a block of the text was split into runs of one style or many, the stretches of equal style are written as
// one.
void MarkdownWriter::write_inline(TextSpan span, InlineMarkdown::Place place) {
  InlineMarkdown line(place, *out_);
  const std::string_view block = std::string_view(content_->text).substr(0, span.end_bytes);
  std::size_t begin = span.begin_bytes;
  const bool is_heading = place == InlineMarkdown::Place::kHeading;
  const auto style_at = [&](std::size_t run) {
    InlineStyle style = run < runs_.size() ? style_of(runs_[run].element) : InlineStyle{};
    if (is_heading) style.is_strong = false;  // headings are bold already
    return style;
  };
  while (run_ < runs_.size() && runs_[run_].end_bytes <= begin) ++run_;
  while (begin < span.end_bytes) {
    const InlineStyle style = style_at(run_);
    std::size_t end = span.end_bytes;
    while (run_ < runs_.size()) {
      if (runs_[run_].end_bytes >= span.end_bytes) break;
      if (style_at(run_ + 1) != style) {
        end = runs_[run_++].end_bytes;
        break;
      }
      ++run_;
    }
    line.add(block.substr(begin, end - begin), style, block.substr(end));
    begin = end;
  }
  line.finish();
}

// Of the inline elements around a text, up to its block. Texts have most of them in common, so that each element is
// asked once.
InlineStyle MarkdownWriter::style_of(const HtmlNode* element) {
  InlineStyle style;
  inline_path_.clear();
  for (const HtmlNode* node = element; node != nullptr && is_element(node) && !is_block_element(node);
       node = node->parent) {
    if (const auto known = styles_.find(node); known != styles_.end()) {
      style = known->second;
      break;
    }
    inline_path_.push_back(node);
  }
  while (!inline_path_.empty()) {
    add_style(inline_path_.back(), style);
    styles_.emplace(inline_path_.back(), style);
    inline_path_.pop_back();
  }
  return style;
}

// Of an element to that of those around it.
void MarkdownWriter::add_style(const HtmlNode* element, InlineStyle& style) {
  switch (tag_of(element)) {
    case LXB_TAG_A:
      if (const std::string* const address = address_of(element)) style.link = address;
      break;
    case LXB_TAG_B:
    case LXB_TAG_STRONG:
      style.is_strong = true;
      break;
    case LXB_TAG_I:
    case LXB_TAG_EM:
      style.is_emphasis = true;
      break;
    case LXB_TAG_DEL:
    case LXB_TAG_S:
    case LXB_TAG_STRIKE:
      style.is_deleted = true;
      break;
    case LXB_TAG_CODE:
    case LXB_TAG_KBD:
    case LXB_TAG_SAMP:
    case LXB_TAG_TT:
      style.is_code = true;
      break;
    default:
      break;
  }
}

// Null if the link leads nowhere, within the page, or to another scheme than http and https; also behind so many
// addresses that no ordinary page has them (web/links.h).
const std::string* MarkdownWriter::address_of(const HtmlNode* link) {
  const auto [found, is_new] = addresses_.try_emplace(link);
  std::string& address = found->second;
  if (is_new) {
    const std::string_view reference = document_->attribute(link, HtmlAttribute::kHref);
    if (!reference.empty() && !reference.starts_with('#') && parser_.bytes_read() < bytes_read_maximum_) {
      if (const std::optional<Url> url = parser_.parse(reference)) address = url->href;
    }
  }
  return address.empty() ? nullptr : &address;
}

// Around the code: its own elements, and the one around <pre> that highlighters add.
std::string_view MarkdownWriter::code_language(const HtmlNode* element) {
  std::string_view language;
  inline_path_.clear();
  for (const HtmlNode* node = element; node != nullptr && is_element(node); node = node->parent) {
    if (const auto known = code_languages_.find(node); known != code_languages_.end()) {
      language = known->second;
      break;
    }
    inline_path_.push_back(node);
    language = class_language(node);
    if (!language.empty()) break;
    if ((tag_traits(tag_of(node)) & kTagPreserve) == 0) continue;
    if (node->parent != nullptr && is_element(node->parent)) language = class_language(node->parent);
    break;
  }
  // Where there is none, that of the elements around it.
  for (const HtmlNode* const node : inline_path_) code_languages_.emplace(node, language);
  return language;
}

std::string_view MarkdownWriter::class_language(const HtmlNode* element) {
  const auto [found, is_new] = class_languages_.try_emplace(element);
  if (is_new) found->second = language_in_class(class_of(element));
  return found->second;
}

void MarkdownWriter::write_code(std::string_view text, const HtmlNode* element) {
  constexpr std::size_t kFence = 3;
  const std::string fence(std::max(kFence, longest_run_of('`', text) + 1), '`');
  *out_ += fence;
  *out_ += code_language(element);
  *out_ += '\n';
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end == 0) {
      write_empty_line();
    } else {
      begin_line(false);
      *out_ += text.substr(0, end);
      *out_ += '\n';
    }
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  begin_line(false);
  *out_ += fence;
}

// Writes the rows from `first_block` on that are of one table, and returns the block after them. Without a row of
// header cells the header, which Markdown demands, is empty.
std::size_t MarkdownWriter::write_table(std::size_t first_block) {
  const std::vector<TextBlock>& blocks = content_->blocks;
  const HtmlNode* const table = table_of(element_of_block(blocks[first_block]));
  if (table == nullptr) {  // not from a page with a tree
    write_block(blocks[first_block]);
    return first_block + 1;
  }
  const std::size_t first_run = run_;
  std::size_t end = first_block;
  std::size_t columns = 1;
  for (; end < blocks.size() && blocks[end].role == BlockRole::kTableRow; ++end) {
    if (table_of(element_of_block(blocks[end])) != table) break;
    read_cells(blocks[end]);
    if (!cells_.empty()) columns = std::max(columns, cells_.back().column + std::size_t{1});
  }
  run_ = first_run;
  enter_containers(runs_[run_].element);
  std::size_t row = first_block;
  read_cells(blocks[row]);
  if (std::all_of(cells_.begin(), cells_.end(), [](const Cell& cell) { return cell.is_header; })) {
    write_cells(columns);
    ++row;
  } else {
    cells_.clear();
    write_cells(columns);
  }
  *out_ += '\n';
  begin_line(false);
  *out_ += '|';
  for (std::size_t column = 0; column < columns; ++column) *out_ += " --- |";
  for (; row < end; ++row) {
    *out_ += '\n';
    begin_line(false);
    read_cells(blocks[row]);
    write_cells(1);
  }
  last_block_ = &blocks[end - 1];
  return end;
}

// Fills cells_ with those of a row that have text, and leaves run_ at its first run.
void MarkdownWriter::read_cells(const TextBlock& block) {
  cells_.clear();
  const HtmlNode* cell = nullptr;
  element_of_block(block);
  std::uint32_t begin = block.span.begin_bytes;
  for (std::size_t run = run_; run < runs_.size() && begin < block.span.end_bytes; ++run) {
    const std::uint32_t end = std::min(runs_[run].end_bytes, block.span.end_bytes);
    const HtmlNode* const next = ancestor_with(kTagTableCell, runs_[run].element);
    if (next != cell || cells_.empty()) {
      // Cells without text have no run, but keep their place.
      std::uint32_t column = cells_.empty() ? 0 : cells_.back().column + 1;
      const HtmlNode* node = nullptr;
      if (cells_.empty()) {
        node = next == nullptr ? nullptr : next->parent->first_child;
      } else if (cell != nullptr && next != nullptr && next->parent == cell->parent) {
        node = cell->next;
      }
      for (; node != nullptr && node != next; node = node->next) {
        if (is_element(node) && (tag_traits(tag_of(node)) & kTagTableCell) != 0) ++column;
      }
      if (!cells_.empty() && std::string_view(content_->text).substr(begin).starts_with(kCellSeparator)) {
        begin += static_cast<std::uint32_t>(kCellSeparator.size());
      }
      cells_.push_back({{begin, end}, column, next != nullptr && has_tag(next, LXB_TAG_TH)});
      cell = next;
    }
    cells_.back().span.end_bytes = end;
    begin = end;
  }
}

// The cells_ as one line, with empty ones up to `columns_minimum`.
void MarkdownWriter::write_cells(std::size_t columns_minimum) {
  *out_ += '|';
  std::size_t column = 0;
  const auto skip_to = [&](std::size_t target) {
    for (; column < target; ++column) *out_ += "  |";
  };
  for (const Cell& cell : cells_) {
    skip_to(cell.column);
    *out_ += ' ';
    write_inline(cell.span, InlineMarkdown::Place::kCell);
    *out_ += " |";
    ++column;
  }
  skip_to(columns_minimum);
}

}  // namespace paraprint::inline corpus
