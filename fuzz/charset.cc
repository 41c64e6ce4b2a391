// Fuzzes the charset decoder with any declaration (first line) and any body: the result must be valid UTF-8, also if
// the caller claims that the body is.
#include "html/charset.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "text/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static paraprint::PageDecoder decoder;
  // The first line is the Content-Type header.
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = input.find('\n');
  const std::string_view content_type =
      line_end == std::string_view::npos ? std::string_view() : input.substr(0, line_end);
  const std::string_view body = line_end == std::string_view::npos ? input : input.substr(line_end + 1);
  for (const bool is_utf8 : {false, true}) {
    const paraprint::DecodedPage& page = decoder.decode(body, content_type, paraprint::PageFormat::kHtml, is_utf8);
    if (!paraprint::is_valid_utf8(page.text) || page.charset.empty()) std::abort();
  }
  return 0;
}
