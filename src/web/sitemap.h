// Parses sitemaps (https://www.sitemaps.org/protocol.html): lists of a site's pages, and indexes of such lists. Input
// is treated as hostile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint::inline web {

// The limits of the protocol; anything beyond is not read.
inline constexpr std::size_t kSitemapBytesMaximum = std::size_t{50} << 20;  // decompressed
inline constexpr std::size_t kSitemapUrlsMaximum = 50'000;

struct Sitemap {
  std::vector<std::string> pages;     // as written, with XML references resolved; not checked to be URLs
  std::vector<std::string> sitemaps;  // entries of an index
  bool is_damaged = false;            // not well-formed or not decompressible; entries before the damage are kept
  bool is_cut = false;                // a limit was exceeded
};

// Accepts XML (urlset or sitemapindex of any namespace, or RSS and Atom feeds with <link>) and plain text with one URL
// per line, either of them gzipped. Of <url> and <sitemap>, only <loc> of their own namespace counts: those of
// extensions are addresses of images and videos. A document that declares entities counts as damaged; they are never
// expanded. `is_whole`: false for the beginning of a file, which may end within an address. Throws std::bad_alloc.
// Cost: O(size).
Sitemap parse_sitemap(std::string_view bytes, bool is_whole = true);

}  // namespace paraprint::inline web
