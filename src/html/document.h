// An HTML page as a tree, parsed by lexbor under limits. An HtmlDocument is reused from page to page.
//
// For pages within the limits, the tree follows the HTML standard with scripting disabled (the content of <noscript> is
// parsed as elements). A page beyond them still gives a tree: its text is complete, its markup is partly ignored, and
// `limits_passed` tells which limits were exceeded. A page built to exhaust time, memory or stack thus costs no more
// than a large one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/stop.h"
#include "html/attributes.h"
#include "html/node.h"
#include "html/remembered_answers.h"
#include "paraprint/result.h"

namespace paraprint::inline html {

class HtmlTokenFilter;

// Limits on the tree of one page, far above those of real pages: of 3,587 real pages the deepest nests 56 elements, no
// element has more than 64 attributes, and no tree takes more than 9 bytes per byte of input beyond the first 4 MiB.
// Under these limits the worst pages we could construct take about 0.2 s per MiB of input (a real page: 4 ms).
struct HtmlLimits {
  // Input beyond this size is not parsed. A page of more than 16 MiB is not an article.
  std::size_t max_input_bytes = std::size_t{16} << 20;
  // Open elements. The standard's algorithms search this stack for nearly every tag, so this bounds the time per tag.
  // Browsers have a similar limit of 512.
  std::size_t max_depth = 256;
  // Open formatting elements (<b>, <font>, <a>, ...). Each paragraph copies all of them, so n elements over m
  // paragraphs become n * m elements.
  std::size_t max_open_formatting = 32;
  // Entries of the builder's list of formatting elements: those that are open, those that wait for the next paragraph,
  // and a marker for each cell and the like. Some tags search all of it, like the stack of open elements, each of which
  // may have two entries here.
  std::size_t max_formatting_entries = 512;
  // Attributes per element; the rest is dropped. Each is compared with all others to find duplicates.
  std::size_t max_attributes = 256;
  // Memory of the tree: `base_tree_bytes`, as many bytes more for each byte of the page as are said here, and fewer for
  // those beyond `large_input_bytes`. A cell of a table takes 321, so ordinary pages may be tables of digits, and those
  // of 16 MiB tables of seven digits. Beyond it, markup is ignored and only text is kept.
  std::size_t base_tree_bytes = std::size_t{4} << 20;
  std::size_t tree_bytes_per_input_byte = 32;
  std::size_t large_input_bytes = std::size_t{4} << 20;
  std::size_t tree_bytes_per_large_input_byte = 16;
};

// The limits that a page exceeded; all false for ordinary pages.
struct HtmlLimitsPassed {
  bool input_bytes = false;
  bool depth = false;
  bool open_formatting = false;
  bool attributes = false;
  bool tree_bytes = false;
  bool any() const { return input_bytes || depth || open_formatting || attributes || tree_bytes; }
};

// Not thread-safe: use one per thread. Nodes and views are valid until the next `parse` or the document's destruction.
class HtmlDocument {
 public:
  // The tree keeps only `attributes`; all others appear to be absent.
  explicit HtmlDocument(const HtmlLimits& limits = {}, HtmlAttributeSet attributes = HtmlAttributeSet::everything());
  ~HtmlDocument();
  HtmlDocument(const HtmlDocument&) = delete;
  HtmlDocument& operator=(const HtmlDocument&) = delete;

  // Parses a page of valid UTF-8, replacing the previous one. Any input gives a tree with <html>, <head> and <body> or
  // <frameset>. Errors: kLimitExceeded if out of memory, kCancelled if `stop` is stopped, which is asked between pieces
  // of 64 KiB. Throws std::bad_alloc if there is no memory for the error. There is no tree then. Cost: O(size).
  Status parse(std::string_view utf8, StopCheck& stop);
  Status parse(std::string_view utf8) {
    StopCheck never;
    return parse(utf8, never);
  }

  // Forgets a page that is larger than most, for those who have read it, instead of keeping its tree until the next
  // parse. Its nodes are gone. Returns whether it was so.
  bool release_if_large();

  // Null before the first successful parse, and after a page was released.
  const HtmlNode* root() const;  // the <html> element
  const HtmlNode* body() const;  // <body> or <frameset>
  const HtmlNode* head() const;
  std::string_view title() const;  // text of the first <title> in <head>, white space unchanged; empty if none

  const HtmlLimitsPassed& limits_passed() const { return limits_passed_; }
  std::size_t input_bytes() const { return input_bytes_; }  // of the last parse, after truncation

  // The value of an attribute; empty if absent or without a value. Cost: one comparison per attribute of the element.
  std::string_view attribute(const HtmlNode* element, HtmlAttribute name) const;
  bool has_attribute(const HtmlNode* element, HtmlAttribute name) const;
  // False only if no element of the page has the attribute, kept or not. Lets a stage skip the lookup for all elements
  // at once.
  bool page_has_attribute(HtmlAttribute name) const {
    return attribute_ids_[static_cast<std::size_t>(name)] != LXB_DOM_ATTR__UNDEF;
  }
  // Whether a browser does not render the element: `hidden`, or display:none or visibility:hidden in its `style`.
  // aria-hidden hides from screen readers only; use `attribute` for it. Cost: that of `attribute`, and a hash of the
  // style.
  bool is_hidden(const HtmlNode* element) const;

  // Memory allocated by lexbor for this tree.
  std::size_t tree_bytes() const;

 private:
  const lxb_dom_attr_t* find_attribute(const HtmlNode* element, HtmlAttribute name) const;
  Status create();
  void destroy();
  bool is_large() const;
  Status parse_under_limits(std::string_view utf8, StopCheck& stop);
  void resolve_attributes();

  HtmlLimits limits_;
  HtmlLimitsPassed limits_passed_;
  std::size_t input_bytes_ = 0;
  bool name_tables_grew_ = false;
  lxb_html_document_t* document_ = nullptr;  // owned
  std::unique_ptr<HtmlTokenFilter> filter_;
  std::array<lxb_dom_attr_id_t, kHtmlAttributeCount> attribute_ids_{};
  mutable RememberedAnswers hides_;  // by style, of earlier pages, too
};

}  // namespace paraprint::inline html
