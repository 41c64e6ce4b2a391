// What a page says it is: the types its head declares for search engines and social networks (og:type, schema.org
// JSON-LD
// @type, generator), and the names of <html> and <body>. Whether replies are content or comments depends on it.
#pragma once

#include <cstdint>

#include "html/document.h"

namespace paraprint {

enum PageHint : std::uint8_t {
  kHintArticle,
  kHintProduct,
  kHintForum,
  kHintCollection,
  kHintWebsite,
  kHintDocumentation,
  kHintBlog,
  kHintHome,
  kPageHintCount,
};
using PageHints = std::uint32_t;  // bits by PageHint

// Reads head, and JSON-LD where it stands in the head. Cost: O(children of head + bytes of JSON-LD, at most
// kMaxJsonLdBytes each).
PageHints read_page_hints(const HtmlDocument& document);

// The hints in a declared type, name or title, for JSON-LD found elsewhere and for tests.
PageHints match_page_hints(std::string_view text);
PageHints match_json_ld_types(std::string_view json);

}  // namespace paraprint
