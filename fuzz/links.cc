// Fuzzes the link extractor and the parsers of robots directives and refresh targets: any page gives at most
// kLinksMaximum links, all of them http or https and in the form that parsing them again does not change.
#include "web/links.h"

#include <cstdlib>

#include "html/charset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static paraprint::PageDecoder decoder;
  static paraprint::LinkExtractor extractor;
  static paraprint::UrlParser parser;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const paraprint::DecodedPage& page = decoder.decode(bytes, "", paraprint::PageFormat::kHtml, false);
  const paraprint::PageLinks links = extractor.extract(page.text, "http://example.org/a/b", page.charset, "paraprint");
  if (links.urls.size() > paraprint::kLinksMaximum) std::abort();
  for (const paraprint::Url& url : links.urls) {
    if (url.scheme != "http" && url.scheme != "https") std::abort();
    const std::optional<paraprint::Url> again = parser.parse(url.href);
    if (!again || again->href != url.href) std::abort();
  }
  paraprint::parse_robots_directives(bytes, "paraprint");
  paraprint::refresh_target(bytes);
  return 0;
}
