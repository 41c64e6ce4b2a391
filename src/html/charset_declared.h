// What a page and its server say about the charset. Nothing here looks at the text.
#pragma once

#include <string_view>

#include "html/charset_decode.h"

namespace paraprint {

struct ByteOrderMark {
  Charset charset = kCharsetUnknown;
  std::size_t size_bytes = 0;
};

// UTF-8, UTF-16 and UTF-32 marks. FF FE 00 00 is UTF-32: a UTF-16 text that begins with NUL is none.
ByteOrderMark find_byte_order_mark(std::string_view body);

// The charset parameter of a Content-Type value.
Charset charset_of_content_type(std::string_view content_type);

// The first charset that a <meta> or an XML declaration names in the first kPrescanBytes. UTF-16 and UTF-32 there mean
// UTF-8, as in the standard: a page that can be read so far as ASCII is in neither.
Charset charset_of_markup(std::string_view body);

// The standard asks for 1,024; many pages have long comments or scripts in front.
inline constexpr std::size_t kPrescanBytes = 8192;

}  // namespace paraprint
