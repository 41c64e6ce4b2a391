// Main content as Markdown: its blocks with the headings, lists, tables, code, quotes, emphasis and links that the page
// has around them. The text is that of MainContent, block for block: the tree is only asked how it is marked up.
//
// CommonMark, with the tables and the deletion of GitHub's dialect. No HTML, no images, and only links to addresses of
// http and https, absolute and in the form of the URL standard: what a page says cannot become anything but text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/stop.h"
#include "corpus/markdown_inline.h"
#include "html/content_run.h"
#include "html/document.h"
#include "paraprint/model.h"
#include "web/url.h"

namespace paraprint::inline corpus {

// Lists and quotes around a block beyond this number are left out: deeper ones are never meant.
inline constexpr std::size_t kMarkdownNestingMaximum = 16;

// So are those within others whose markers have this many bytes: each line of a block is indented by them.
inline constexpr std::size_t kMarkerBytesMaximum = 32;

// Keeps its memory from page to page. Not thread-safe: one instance per thread.
class MarkdownWriter {
 public:
  // The attributes it reads in addition to those of extraction.
  static HtmlAttributeSet attributes_read();

  // Replaces `markdown`. `runs` are those of `content` in `document`; without any, for a page that is not HTML, blocks
  // have their role alone. Relative links are resolved with the page's <base> and `page_url`, which may be empty; links
  // that cannot be resolved are written as their text. Incomplete if `stop` is stopped in between. Cost: O(text +
  // blocks times their depth in the tree + elements).
  void write(const HtmlDocument& document, const MainContent& content, std::span<const ContentRun> runs,
             std::string_view page_url, std::string& markdown, StopCheck& stop);

 private:
  // A quote or an item of a list that is open.
  struct Container {
    const HtmlNode* node = nullptr;
    const HtmlNode* list = nullptr;  // null: a quote
    std::string marker;              // "> ", "- ", "12. "
  };
  struct ListPlace {  // the last item of a list that was numbered
    const HtmlNode* item = nullptr;
    const HtmlNode* child = nullptr;  // of the list: the item, or the element around it
    std::uint32_t number = 0;
  };

  struct Cell {
    TextSpan span;
    std::uint32_t column = 0;
    bool is_header = false;
  };

  void write_block(const TextBlock& block);
  void enter_containers(const HtmlNode* element);
  Container item_container(const HtmlNode* item, const Container* before);
  std::uint32_t number_of(const HtmlNode* list, const HtmlNode* item);
  void begin_line(bool is_first);
  void write_empty_line();
  void write_inline(TextSpan span, InlineMarkdown::Place place);
  void write_code(std::string_view text, const HtmlNode* element);
  std::size_t write_table(std::size_t first_block);
  void read_cells(const TextBlock& block);
  void write_cells(std::size_t columns_minimum);
  InlineStyle style_of(const HtmlNode* element);
  void add_style(const HtmlNode* element, InlineStyle& style);
  std::string_view code_language(const HtmlNode* element);
  std::string_view class_language(const HtmlNode* element);
  const std::string* address_of(const HtmlNode* link);
  const HtmlNode* element_of_block(const TextBlock& block);

  UrlParser parser_;
  std::uint64_t bytes_read_maximum_ = 0;  // of addresses of the page
  const HtmlDocument* document_ = nullptr;
  const MainContent* content_ = nullptr;
  std::span<const ContentRun> runs_;
  std::size_t run_ = 0;  // the first one that ends behind the block
  std::string* out_ = nullptr;
  std::vector<Container> open_;
  std::size_t new_from_ = 0;  // the containers of open_ from here on begin with this block
  const TextBlock* last_block_ = nullptr;
  std::vector<const HtmlNode*> path_;
  std::vector<Cell> cells_;
  std::unordered_map<const HtmlNode*, ListPlace> list_places_;
  std::unordered_map<const HtmlNode*, std::string> addresses_;             // of links; empty: unusable
  std::unordered_map<const HtmlNode*, InlineStyle> styles_;                // of inline elements
  std::unordered_map<const HtmlNode*, std::string_view> class_languages_;  // that their classes name
  std::unordered_map<const HtmlNode*, std::string_view> code_languages_;   // of code in them
  std::vector<const HtmlNode*> inline_path_;
};

}  // namespace paraprint::inline corpus
