// Extracts the links of a page and its instructions to crawlers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "html/document.h"
#include "web/url.h"

namespace paraprint::inline web {

// Maximum of distinct links taken from one page. Real pages have hundreds; a page with a million links is a trap.
inline constexpr std::size_t kLinksMaximum = 10'000;

// Bytes of addresses that are parsed for one page, for each of its bytes and at least: a relative reference is a few
// bytes and may stand for 2,048, so that a page of them would cost thirty times as much as others. Real pages need less
// than one for each of theirs.
inline constexpr std::size_t kAddressBytesPerByte = 8;
inline constexpr std::size_t kAddressBytesLeast = std::size_t{64} << 10;

// What `parser` may have read (UrlParser::bytes_read()) when as much as that is parsed from now on, for a page of
// `page_bytes`.
std::uint64_t address_bytes_maximum(const UrlParser& parser, std::size_t page_bytes);

// <link rel=alternate hreflang=language href=url>
struct LanguageAlternate {
  std::string language;  // as written, in lower case: "zh-hant", "x-default"
  std::string url;       // canonical form
};

struct PageLinks {
  std::vector<Url> urls;                      // distinct, in document order, at most kLinksMaximum
  std::string canonical;                      // href of <link rel=canonical>, or empty
  std::vector<LanguageAlternate> alternates;  // by language, in document order, at most kLinksMaximum
  std::string refresh;                        // target of <meta http-equiv=refresh>, or empty
  std::size_t unusable = 0;                   // not a URL, another scheme, or too long
  std::size_t beyond_limit = 0;               // of the limits above
  bool is_nofollow = false;                   // <meta name=robots content=nofollow>: `urls` is empty then
  bool is_noindex = false;                    // <meta name=robots content=noindex>
  bool is_paginated = false;                  // part of a series: <link rel=prev|next>
  bool is_advertising = false;                // the page is advertising and nothing else (advert_page.h)
};

// Takes the links of <a>, <area>, <iframe>, <frame>, <link rel=canonical|alternate|next|prev> and
// <meta http-equiv=refresh>, resolved against the first <base href>. Links with rel=nofollow are left out unless
// `follow_rel_nofollow` is set. Robots directives are read from <meta> with the name "robots" or `product_token`.
// Cost: O(size).
//
// Not thread-safe: one instance per thread.
class LinkExtractor {
 public:
  // `utf8` is the decoded page, `charset` its original charset (used to encode the queries of its links).
  // Throws std::bad_alloc if the page cannot be parsed. If `stop` is stopped in between, links are missing.
  PageLinks extract(std::string_view utf8, std::string_view url, std::string_view charset,
                    std::string_view product_token, bool follow_rel_nofollow, StopCheck& stop);
  PageLinks extract(std::string_view utf8, std::string_view url, std::string_view charset,
                    std::string_view product_token, bool follow_rel_nofollow = false) {
    StopCheck never;
    return extract(utf8, url, charset, product_token, follow_rel_nofollow, never);
  }

 private:
  HtmlDocument document_;
  UrlParser parser_;
};

// Sets the base of the page's references: its first <base href>, resolved with `url`, otherwise `url`. Returns whether
// `url` is an address, without which only a <base> that is absolute gives a base. Reads kHref. Cost: O(nodes).
bool set_base_of_page(const HtmlDocument& document, std::string_view url, UrlParser& parser);

// Parses an X-Robots-Tag or the content of a robots <meta>: "noindex, nofollow", "none", or "otherbot: nofollow", which
// is ignored unless it names `product_token`.
struct RobotsDirectives {
  bool is_nofollow = false;
  bool is_noindex = false;
};
RobotsDirectives parse_robots_directives(std::string_view value, std::string_view product_token);

// The address in the content of <meta http-equiv=refresh>, e.g. "5; url=https://example.org/"; empty if there is none.
std::string_view refresh_target(std::string_view content);

}  // namespace paraprint::inline web
