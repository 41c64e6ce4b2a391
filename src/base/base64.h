// Base64 (RFC 4648), the encoding of bytes in JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paraprint::inline base {

// Padded with '=' to a multiple of four characters. Requires less than 1.5 GiB of bytes. Thread-safe.
std::string base64(std::string_view bytes);

// Decodes strictly: nullopt for characters outside the alphabet (including white space), an impossible length, nonzero
// trailing bits, or 2 GiB of text or more. Only the padding may be missing. Thread-safe.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace paraprint::inline base
