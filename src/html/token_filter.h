// Stands between lexbor's tokenizer and its tree builder and holds back the tokens that would take a page beyond its
// limits. Text always passes. What each limit prevents is told in document.h (HtmlLimits); what is held back:
//   - depth: the innermost element is closed first, so the new one becomes its sibling; where closing it would disturb
//   the
//     builder's state (tables, <select>, <template>, foreign content), the start tag is ignored instead;
//   - open formatting: the start tag is ignored;
//   - attributes: those after the limit, and all of repeated <html> and <body> tags;
//   - attributes that nobody reads (attribute_filter.h);
//   - tree bytes: all tags from there on, but those whose content is not markup (<script>, <style>, <textarea>, ...).
// Cost: a few comparisons a token.
#pragma once

#include <lexbor/html/html.h>

#include <cstddef>

#include "html/attribute_filter.h"

namespace paraprint {

struct HtmlLimits;
struct HtmlLimitsPassed;

class HtmlTokenFilter {
 public:
  explicit HtmlTokenFilter(HtmlAttributeSet attributes) : attribute_filter_(attributes) {}

  // Takes its place for one parse, after lxb_html_document_parse_chunk_begin. `limits` and `passed` must outlive the
  // parse.
  void attach(lxb_html_parser_t* parser, lxb_html_document_t* document, const HtmlLimits& limits,
              std::size_t input_bytes, HtmlLimitsPassed* passed);

 private:
  static lxb_html_token_t* on_token(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token, void* filter);
  bool is_text_long() const;
  void split_long_text();
  bool admits(lxb_html_token_t* token);
  bool has_room_below(const lxb_html_token_t* token);
  bool is_formatting_full() const;
  void cut_attributes(lxb_html_token_t* token);

  HtmlAttributeFilter attribute_filter_;
  lxb_html_tree_t* tree_ = nullptr;
  lxb_html_document_t* document_ = nullptr;
  const lexbor_mem_t* node_arena_ = nullptr;
  const lexbor_mem_t* text_arena_ = nullptr;
  const HtmlLimits* limits_ = nullptr;
  HtmlLimitsPassed* passed_ = nullptr;
  std::size_t tree_bytes_limit_ = 0;
  std::size_t root_tags_ = 0;
  lxb_html_tokenizer_token_f next_ = nullptr;
  void* next_context_ = nullptr;
};

// Bytes that lexbor has taken for the tree of a document, to the size of its smallest chunk.
std::size_t html_tree_bytes(const lxb_html_document_t* document);

}  // namespace paraprint
