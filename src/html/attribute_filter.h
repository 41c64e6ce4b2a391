// Removes attributes that no stage reads from start tags, before lexbor makes nodes of them. Links, sizes, event
// handlers and `data-` attributes are most of a page's attributes, and each would cost a node, a search for duplicates
// and cache space.
//
// The shape of the tree is unchanged. Attributes that affect it are always kept: those of formatting elements, all of
// which the tree builder compares to find more than three equal ones, and those of a few elements with special rules
// (<input type=hidden> in tables, <annotation-xml encoding>, <option selected>).
#pragma once

#include <lexbor/html/html.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "html/attributes.h"

namespace paraprint::inline html {

class HtmlAttributeFilter {
 public:
  explicit HtmlAttributeFilter(HtmlAttributeSet kept);

  // Removes the other attributes from a start tag. Cost: one or two comparisons per attribute.
  void apply(lxb_html_token_t* token) const;

 private:
  bool keeps(const lxb_html_token_attr_t* attribute) const;

  HtmlAttributeSet kept_;
  std::uint64_t kept_ids_ = 0;                // a bit per attribute for which lexbor has a fixed id
  std::vector<std::string_view> kept_names_;  // the remaining ones
};

}  // namespace paraprint::inline html
