// Sitemaps (https://www.sitemaps.org/protocol.html): lists of a site's pages, and lists of such lists. Input is
// hostile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint {

// The protocol's own limits: what goes beyond is not read.
inline constexpr std::size_t kSitemapBytesMaximum = std::size_t{50} << 20;  // decompressed
inline constexpr std::size_t kSitemapUrlsMaximum = 50'000;

struct Sitemap {
  std::vector<std::string> pages;     // as they stand, references of XML resolved; not checked to be URLs
  std::vector<std::string> sitemaps;  // of an index
  bool is_damaged = false;            // not well-formed, a broken compression: what came before is there
  bool is_cut = false;                // a limit was passed
};

// XML (urlset or sitemapindex, any namespace prefix; RSS and Atom feeds with <link>), or plain text with a URL a line;
// gzip is undone first. Entities that a document declares itself are not expanded: a document that declares any is
// damaged. Never fails. Cost: O(size).
Sitemap parse_sitemap(std::string_view bytes);

}  // namespace paraprint
