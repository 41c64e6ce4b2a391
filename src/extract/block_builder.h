// Turns chosen nodes into the blocks of MainContent. An extractor walks the tree in its own way and reports the
// elements and text it passes; the builder decides where blocks begin and end and how white space is treated:
//
//   - a block-level element (html/tag_traits.h) starts a new block and ends one; inline elements do neither;
//   - white space collapses as in CSS: a run inside a block becomes one space, and is removed at both ends;
//   - one <br> is a space; two or more, with only white space between them, end the block;
//   - <pre> keeps its lines and is one block of role kCode;
//   - a heading, list item or quote gives its blocks their role and level; the innermost one decides;
//   - a table row of several simple cells is one block, its cells joined by kCellSeparator, and what blocks inside of
//     them hold by spaces. Cells of all other rows (tables used for layout) are containers like <div>.
//
//   builder.begin(content);
//   builder.enter_element(p); builder.add_text(text); builder.leave_element(p); ...
//   builder.finish();
//
// Calls must be in document order with properly nested elements. Text is written directly to MainContent::text, without
// an allocation per node. Not thread-safe: use one per thread. Cost: O(text + elements).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "html/content_run.h"
#include "html/document.h"
#include "paraprint/model.h"

namespace paraprint::inline extract {

class BlockBuilder {
 public:
  // Clears `content` and writes to it until finish(); it must live at least that long. The same of `runs`, if there are
  // any to be recorded: which element each stretch of the text came from.
  void begin(MainContent& content, std::vector<ContentRun>* runs = nullptr);
  void finish();

  // Reports the start and the end of an element. Do not call them for elements that are left out.
  void enter_element(const HtmlNode* element);
  void leave_element(const HtmlNode* element);
  // Adds the text of a text node, with its white space as parsed, and the parent of the node, for runs.
  void add_text(std::string_view text, const HtmlNode* parent = nullptr);
  // Ends the current block like the border of a block-level element: for extractors that skip parts of the tree.
  void end_block();

  // Reports a whole subtree except hidden elements and elements that are never text (kTagNeverText). If `stop` is
  // stopped in between, elements remain open, and what was built is incomplete.
  void add_subtree(const HtmlDocument& document, const HtmlNode* root, StopCheck& stop);

 private:
  struct Context {  // an open element that determines the role of blocks
    BlockRole role = BlockRole::kParagraph;
    std::uint8_t heading_level = 0;
  };
  void append_collapsed(std::string_view text);
  void append_preserved(std::string_view text);
  void begin_text();
  void break_line();
  void add_border_in_row(std::uint16_t traits);
  void push_context(BlockRole role, std::uint8_t heading_level = 0) { contexts_.push_back({role, heading_level}); }

  void record_run(const HtmlNode* parent);
  void cut_runs();

  MainContent* content_ = nullptr;
  std::vector<ContentRun>* content_runs_ = nullptr;  // null: not recorded
  std::vector<Context> contexts_;                    // innermost last
  std::vector<const HtmlNode*> rows_;  // open rows written as one block; more than one only in broken markup
  std::size_t block_begin_bytes_ = 0;  // in text
  bool in_block_ = false;              // a block with text is open
  bool space_pending_ = false;         // write a space before the next character of the block
  bool cell_pending_ = false;          // write a cell separator before the next character of the row
  bool break_pending_ = false;         // one <br> was passed since the last character
  std::uint32_t preserve_depth_ = 0;   // number of open <pre>
  std::uint32_t list_level_ = 0;
};

// Assigns `text` with white space collapsed and trimmed, for MainContent::title.
void assign_collapsed(std::string_view text, std::string& out);

}  // namespace paraprint::inline extract
