// Turns chosen nodes into the blocks of MainContent. Every extractor walks the tree in its own way and tells the
// builder what it passes; the builder decides where blocks begin and end and what white space is left:
//
//   - a block-level element (html/tag_traits.h) begins a block and ends one; inline ones do neither;
//   - white space collapses as CSS does: a run within a block is one space, none at either end;
//   - one <br> is a space, two or more (with nothing but white space between) end the block;
//   - <pre> keeps its lines and is one block of role kCode;
//   - a heading, list item or quote gives its blocks role and level, the innermost deciding;
//   - a table row of several cells without inner structure is one block, its cells joined by kCellSeparator. The cells
//   of
//     other rows (tables used for layout) are containers like <div>.
//
//   builder.begin(content);
//   builder.enter_element(p); builder.add_text(text); builder.leave_element(p); ...
//   builder.finish();
//
// Calls come in document order, elements properly nested. No allocation a node: text goes straight to
// MainContent::text. Not thread-safe: one per thread. Cost: O(text + elements).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "html/document.h"
#include "paraprint/model.h"

namespace paraprint {

inline constexpr std::string_view kCellSeparator = " | ";

class BlockBuilder {
 public:
  // Clears `content` and writes to it until `finish`; it must outlive the building.
  void begin(MainContent& content);
  void finish();

  // The start and the end of an element are passed. What the extractor leaves out is not told.
  void enter_element(const HtmlNode* element);
  void leave_element(const HtmlNode* element);
  // Text of a text node, white space as parsed.
  void add_text(std::string_view text);
  // Ends the block being written, as the border of a block-level element does: for extractors that jump in the tree.
  void end_block();

  // Enters, adds and leaves all of a subtree but what is hidden or never text (kTagNeverText).
  void add_subtree(const HtmlDocument& document, const HtmlNode* root);

 private:
  struct Context {  // of an open element that decides on the role of blocks
    BlockRole role = BlockRole::kParagraph;
    std::uint8_t heading_level = 0;
  };
  void append_collapsed(std::string_view text);
  void append_preserved(std::string_view text);
  void begin_text();
  void break_line();
  void push_context(BlockRole role, std::uint8_t heading_level = 0) { contexts_.push_back({role, heading_level}); }

  MainContent* content_ = nullptr;
  std::vector<Context> contexts_;      // innermost last
  std::vector<const HtmlNode*> rows_;  // open rows written as one block; more than one only in broken markup
  std::size_t block_begin_bytes_ = 0;  // in text
  bool in_block_ = false;              // a block is open and has text
  bool space_pending_ = false;         // written before the next character of the block
  bool cell_pending_ = false;          // a cell border, written before the next character of the row
  bool break_pending_ = false;         // one <br> since the last character
  std::uint32_t preserve_depth_ = 0;   // open <pre>
  std::uint32_t list_level_ = 0;
};

// `text` with white space collapsed and trimmed, for MainContent::title.
void assign_collapsed(std::string_view text, std::string& out);

}  // namespace paraprint
