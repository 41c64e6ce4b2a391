// A filter between lexbor's tokenizer and tree builder that keeps a page within its limits. Text always passes, and is
// given room, so that building a long one from many tokens takes linear time and memory.
// HtmlLimits (document.h) has the reason for each limit; their effects are:
//   - depth: the innermost element is closed first, so the new one becomes its sibling. If closing it would disturb the
//     builder's state (tables, <select>, <template>, foreign content), the start tag is ignored instead;
//   - open formatting: the start tag is ignored. Entries of the builder's list of formatting elements that can become
//     current no more are dropped if the list gets long;
//   - attributes: those beyond the limit are dropped, and all of them for too many repeated <html> and <body> tags;
//   - tree bytes: all further tags and comments are ignored, except tags whose content is not markup (<script>, ...).
// Attributes that no stage reads are dropped as well (attribute_filter.h), and <select> gets one that saves the builder
// quadratic work. Cost: a few comparisons per token.
#pragma once

#include <lexbor/html/html.h>

#include <cstddef>

#include "html/attribute_filter.h"

namespace paraprint::inline html {

struct HtmlLimits;
struct HtmlLimitsPassed;

// The bytes of an arena of lexbor. Chunks may only be added to it during the life of a meter.
class HtmlArenaMeter {
 public:
  HtmlArenaMeter() = default;
  explicit HtmlArenaMeter(const lexbor_mem_t* arena) : last_(arena->chunk_first) {}

  // Cost: O(chunks added since the last call).
  std::size_t bytes();

 private:
  const lexbor_mem_chunk_t* last_ = nullptr;  // the last chunk at the last call
  std::size_t bytes_before_last_ = 0;
};

class HtmlTokenFilter {
 public:
  explicit HtmlTokenFilter(HtmlAttributeSet attributes) : attribute_filter_(attributes) {}

  // Installs the filter for one parse; call it after lxb_html_document_parse_chunk_begin. `limits` and `passed` must
  // outlive the parse.
  void attach(lxb_html_parser_t* parser, lxb_html_document_t* document, const HtmlLimits& limits,
              std::size_t input_bytes, HtmlLimitsPassed* passed);

 private:
  static lxb_html_token_t* on_token(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token, void* filter);
  void drop_parse_errors(lxb_html_tokenizer_t* tokenizer);
  bool is_tree_full();
  void make_room_for_text(const lxb_html_token_t* token);
  lxb_dom_node_t* text_before_table() const;
  bool admits(lxb_html_token_t* token);
  bool has_room_below(const lxb_html_token_t* token);
  bool is_formatting_full();
  bool are_last_entries_formatting() const;
  void drop_dead_formatting();
  void cut_attributes(lxb_html_token_t* token);
  void allow_many_options(lxb_html_token_t* token);

  HtmlAttributeFilter attribute_filter_;
  lxb_html_tree_t* tree_ = nullptr;
  lxb_html_document_t* document_ = nullptr;
  HtmlArenaMeter nodes_;
  HtmlArenaMeter texts_;
  const HtmlLimits* limits_ = nullptr;
  HtmlLimitsPassed* passed_ = nullptr;
  lexbor_dobject_t* token_attributes_ = nullptr;  // where the tokenizer allocates them
  std::size_t tree_bytes_limit_ = 0;
  std::size_t root_tags_ = 0;
  lxb_html_tokenizer_token_f next_ = nullptr;
  void* next_context_ = nullptr;
};

// Memory allocated by lexbor for the tree of a document, accurate to one chunk of each arena. O(chunks).
std::size_t html_tree_bytes(const lxb_html_document_t* document);

}  // namespace paraprint::inline html
