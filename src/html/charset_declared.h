// Charset declarations of a page and its server. The text itself is not examined. All functions are thread-safe.
#pragma once

#include <string_view>

#include "html/charset_decode.h"

namespace paraprint::inline html {

struct ByteOrderMark {
  Charset charset = kCharsetUnknown;
  std::size_t size_bytes = 0;
};

// Recognises UTF-8, UTF-16 and UTF-32 marks. FF FE 00 00 is UTF-32, because no real UTF-16 text begins with NUL.
ByteOrderMark find_byte_order_mark(std::string_view body);

// The charset parameter of a Content-Type value.
Charset charset_of_content_type(std::string_view content_type);

// The first charset named by a <meta> or an XML declaration in the first kPrescanBytes. UTF-16 and UTF-32 are replaced
// by UTF-8, as in the standard: a page whose declaration can be read as ASCII is in neither.
Charset charset_of_markup(std::string_view body);

// The standard requires 1,024 bytes; many pages have long comments or scripts before the declaration.
inline constexpr std::size_t kPrescanBytes = 8192;

}  // namespace paraprint::inline html
