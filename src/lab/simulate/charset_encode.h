// UTF-8 to the charsets of older pages: the other direction of html/charset_decode.h.
#pragma once

#include <string>
#include <string_view>

namespace paraprint {

// Whether `label` names a charset that pages can be encoded in: WHATWG labels, and utf-16le and utf-16be.
bool can_encode(std::string_view label);

struct EncodedPage {
  std::string bytes;
  std::size_t characters = 0;  // beyond ASCII
  std::size_t references = 0;  // of them, those that the charset lacks: written as &#...; , as browsers and servers do
};

// `html` is valid UTF-8. utf-16 gets a byte order mark. Requires can_encode(label).
EncodedPage encode_page(std::string_view html, std::string_view label);

}  // namespace paraprint
