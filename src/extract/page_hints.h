// The page types that a page declares in its head for search engines and social networks (og:type, schema.org JSON-LD
// @type, generator) and in its title and the names of <html> and <body>. They help to decide whether replies are
// content or comments.
#pragma once

#include <cstdint>

#include "html/document.h"

namespace paraprint::inline extract {

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

// Reads the title, the head with its JSON-LD, and the names of <html> and <body>. Cost: O(children of head + bytes of
// JSON-LD, at most 16 KiB of each script).
PageHints read_page_hints(const HtmlDocument& document);

// The hints in a declared type, name or title, and in JSON-LD. Also used for JSON-LD in the body, and in tests.
PageHints match_page_hints(std::string_view text);
PageHints match_json_ld_types(std::string_view json);

}  // namespace paraprint::inline extract
