// An HTML page as a tree, parsed by lexbor under limits. One HtmlDocument is used for page after page.
//
// The tree follows the HTML standard with scripting off (the content of <noscript> is parsed as elements) for every
// page within the limits. A page beyond them still gives a tree: its text is all there, its markup partly ignored, and
// `limits_passed` says which limit did it. So a page built to exhaust time, memory or stack costs no more than a large
// one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "html/attributes.h"
#include "html/node.h"
#include "paraprint/result.h"

namespace paraprint {

class HtmlTokenFilter;

// Bounds of the tree of one page, far above what pages have: of 3,587 real pages the deepest nests 56 elements, no
// element has more than 64 attributes, and no tree takes more than 9 bytes a byte of input beyond the first 4 MiB. The
// worst pages we could build take about 0.2 s a MiB of input under these limits (a real page: 4 ms).
struct HtmlLimits {
  // Text beyond this is not parsed. A page of more than 16 MiB is not an article.
  std::size_t max_input_bytes = std::size_t{16} << 20;
  // Open elements. The standard's algorithms search this stack for nearly every tag, so it bounds the time a tag can
  // take. (Browsers have such a limit too: 512.)
  std::size_t max_depth = 256;
  // Open formatting elements (<b>, <font>, <a>, ...). Each paragraph copies all of them, so n of them over m paragraphs
  // make n*m elements.
  std::size_t max_open_formatting = 32;
  // Attributes of one element; the rest is left out. Each is compared with all others for duplicates.
  std::size_t max_attributes = 256;
  // Memory of the tree: `base_tree_bytes` + `tree_bytes_per_input_byte` * size of the page. Past it, markup is ignored
  // and only text is kept.
  std::size_t base_tree_bytes = std::size_t{4} << 20;
  std::size_t tree_bytes_per_input_byte = 32;
};

// Which limits a page passed; all false for ordinary pages.
struct HtmlLimitsPassed {
  bool input_bytes = false;
  bool depth = false;
  bool open_formatting = false;
  bool attributes = false;
  bool tree_bytes = false;
  bool any() const { return input_bytes || depth || open_formatting || attributes || tree_bytes; }
};

// Not thread-safe: one per thread. Nodes and views are valid until the next `parse` or the end of the document.
class HtmlDocument {
 public:
  // `attributes` are those that the tree keeps; asking for another finds it absent.
  explicit HtmlDocument(const HtmlLimits& limits = {}, HtmlAttributeSet attributes = HtmlAttributeSet::everything());
  ~HtmlDocument();
  HtmlDocument(const HtmlDocument&) = delete;
  HtmlDocument& operator=(const HtmlDocument&) = delete;

  // Parses a page of valid UTF-8 and forgets the one before. Any bytes give a tree with <html>, <head> and <body> or a
  // <frameset>; the only error is kLimitExceeded when memory is refused by the system. Cost: O(size).
  Status parse(std::string_view utf8);

  // Null before the first successful parse.
  const HtmlNode* root() const;  // the <html> element
  const HtmlNode* body() const;  // <body> or <frameset>
  const HtmlNode* head() const;
  std::string_view title() const;  // text of the first <title> in <head>, white space as it stands; empty if none

  const HtmlLimitsPassed& limits_passed() const { return limits_passed_; }
  std::size_t input_bytes() const { return input_bytes_; }  // of the last parse, after cutting

  // The value of an attribute; empty when it is absent or has no value. Cost: one comparison an attribute of the
  // element.
  std::string_view attribute(const HtmlNode* element, HtmlAttribute name) const;
  bool has_attribute(const HtmlNode* element, HtmlAttribute name) const;
  // Whether any element of the page has the attribute, kept or not: lets a stage skip a look-up for all elements at
  // once. May be true without one.
  bool page_has_attribute(HtmlAttribute name) const {
    return attribute_ids_[static_cast<std::size_t>(name)] != LXB_DOM_ATTR__UNDEF;
  }
  // Whether a browser leaves the element out: `hidden`, or display:none or visibility:hidden in its `style`.
  // (aria-hidden hides from screen readers only: ask `attribute`.)
  bool is_hidden(const HtmlNode* element) const;

  // Bytes that lexbor holds for this tree.
  std::size_t tree_bytes() const;

 private:
  const lxb_dom_attr_t* find_attribute(const HtmlNode* element, HtmlAttribute name) const;
  Status create();
  Status parse_under_limits(std::string_view utf8);
  void resolve_attributes();

  HtmlLimits limits_;
  HtmlLimitsPassed limits_passed_;
  std::size_t input_bytes_ = 0;
  bool name_tables_grew_ = false;
  lxb_html_document_t* document_ = nullptr;  // owned
  std::unique_ptr<HtmlTokenFilter> filter_;
  std::array<lxb_dom_attr_id_t, kHtmlAttributeCount> attribute_ids_{};
};

}  // namespace paraprint
