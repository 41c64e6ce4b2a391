// Base 64 by RFC 4648: how JSON carries bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paraprint {

// With '=' at the end where the length asks for it. Thread-safe.
std::string base64(std::string_view bytes);

// Nothing if `text` is not the base 64 of anything: other characters (white space too), a wrong length, bits set that
// belong to no byte. The '=' at the end may be missing.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace paraprint
