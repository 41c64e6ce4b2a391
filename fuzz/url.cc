// Fuzzes the URL parser with a base, a line feed and a reference: the canonical form must be a fixed point of parsing,
// and the form without tracking parameters as well. The bytes are also a text without that address.
#include "web/url.h"

#include <cstdlib>

#include "web/bare_text.h"
#include "web/url_cleaning.h"
#include "web/url_shape.h"

namespace {

void check(paraprint::UrlParser& parser, const paraprint::Url& url) {
  if (url.href.size() > paraprint::kUrlBytesMaximum) std::abort();
  if (url.origin() + url.target != url.href || !url.target.starts_with('/')) std::abort();
  for (const char c : url.href) {
    if (c <= ' ' || c > '~') std::abort();
  }
  parser.clear_base();
  const std::optional<paraprint::Url> again = parser.parse(url.href);
  if (!again || again->href != url.href || again->host != url.host || again->port != url.port) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static paraprint::UrlParser parser;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t split = bytes.find('\n');
  parser.clear_base();
  if (split != std::string_view::npos) parser.set_base(bytes.substr(0, split));
  const std::string_view reference = split == std::string_view::npos ? bytes : bytes.substr(split + 1);
  const std::optional<paraprint::Url> url = parser.parse(reference, size % 2 == 0 ? "utf-8" : "gb18030");
  if (!url) return 0;
  check(parser, *url);
  const paraprint::Url cleaned = paraprint::without_tracking(*url);
  check(parser, cleaned);
  if (paraprint::without_tracking(cleaned).href != cleaned.href) std::abort();
  if (paraprint::url_shape(*url).empty() || paraprint::repeated_path_segments(*url) == 0) std::abort();
  paraprint::bare_text_hash(bytes, url->href);
  if (paraprint::bare_text_hash(url->href, url->href) != 0) std::abort();
  return 0;
}
