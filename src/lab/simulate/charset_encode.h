// Converts UTF-8 to the charsets of older pages: the inverse of html/charset_decode.h.
#pragma once

#include <string>
#include <string_view>

namespace paraprint::inline lab::inline simulate {

// True if `label` names a supported charset: a WHATWG label, utf-16le or utf-16be.
bool can_encode(std::string_view label);

struct EncodedPage {
  std::string bytes;
  std::size_t characters = 0;  // beyond ASCII
  std::size_t references = 0;  // of those, not in the charset: written as &#...;
};

// `html` is valid UTF-8. utf-16 gets a byte order mark. Requires can_encode(label).
EncodedPage encode_page(std::string_view html, std::string_view label);

}  // namespace paraprint::inline lab::inline simulate
