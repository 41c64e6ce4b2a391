// Fuzzes the parser of sitemaps with any bytes: it returns at most kSitemapUrlsMaximum addresses.
#include "web/sitemap.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const paraprint::Sitemap sitemap = paraprint::parse_sitemap({reinterpret_cast<const char*>(data), size});
  if (sitemap.pages.size() + sitemap.sitemaps.size() > paraprint::kSitemapUrlsMaximum) std::abort();
  return 0;
}
