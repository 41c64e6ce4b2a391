// Takes from start tags the attributes that nobody will read, before lexbor makes nodes of them: links, sizes, event
// handlers and `data-` attributes are most of a page's attributes, and each would take a node of its own, a search for
// duplicates and room in the caches.
//
// The tree stays the same. Attributes that its shape depends on are kept whatever is asked for: those of formatting
// elements, of which the builder compares all when it looks for more than three equal ones, and those of a few elements
// it treats by attribute (<input type=hidden> in tables, <annotation-xml encoding>, <option selected>).
#pragma once

#include <lexbor/html/html.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "html/attributes.h"

namespace paraprint {

class HtmlAttributeFilter {
 public:
  explicit HtmlAttributeFilter(HtmlAttributeSet kept);

  // Takes the other attributes from a start tag. Cost: a comparison or two an attribute.
  void apply(lxb_html_token_t* token) const;

 private:
  bool keeps(const lxb_html_token_attr_t* attribute) const;

  HtmlAttributeSet kept_;
  std::uint64_t kept_ids_ = 0;                // of names that lexbor numbers: a bit each
  std::vector<std::string_view> kept_names_;  // the others
};

}  // namespace paraprint
