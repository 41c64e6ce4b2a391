// What a page links to, and what it asks of crawlers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "html/document.h"
#include "web/url.h"

namespace paraprint {

// Distinct links taken from one page. Real pages have hundreds; a page of a million links is a trap.
inline constexpr std::size_t kLinksMaximum = 10'000;

struct PageLinks {
  std::vector<Url> urls;     // distinct, in document order, at most kLinksMaximum
  std::string canonical;     // href of <link rel=canonical>, or empty
  std::size_t unusable = 0;  // no URL, another scheme, too long
  std::size_t beyond_limit = 0;
  bool is_nofollow = false;  // <meta name=robots content=nofollow>: `urls` is empty then
  bool is_noindex = false;   // <meta name=robots content=noindex>
};

// Links of <a>, <area>, <iframe>, <frame>, <link rel=canonical|alternate|next|prev> and <meta http-equiv=refresh>,
// relative to the first <base href>, and those whose rel names nofollow left out. Meta names for robots: "robots" and
// `product_token`. Cost: O(nodes). With `follow_rel_nofollow` links that name nofollow are among them.
//
// Not thread-safe: one a thread.
class LinkExtractor {
 public:
  // `utf8` is the decoded page, `charset` what it was decoded from (for the queries of its links).
  PageLinks extract(std::string_view utf8, std::string_view url, std::string_view charset,
                    std::string_view product_token, bool follow_rel_nofollow = false);

 private:
  HtmlDocument document_;
  UrlParser parser_;
};

// What an X-Robots-Tag or a robots <meta> says: "noindex, nofollow", "none", "otherbot: nofollow" (of another crawler
// unless it names `product_token`).
struct RobotsDirectives {
  bool is_nofollow = false;
  bool is_noindex = false;
};
RobotsDirectives parse_robots_directives(std::string_view value, std::string_view product_token);

// The address of "5; url=https://example.org/", as <meta http-equiv=refresh> has it; empty if there is none.
std::string_view refresh_target(std::string_view content);

}  // namespace paraprint
