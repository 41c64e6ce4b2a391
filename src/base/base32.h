// Base32 (RFC 4648) in upper case, the encoding of digests in web archives.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace paraprint::inline base {

// Padded with '=' to a multiple of eight characters; 20 bytes need no padding. Thread-safe.
std::string base32(std::span<const std::uint8_t> bytes);

}  // namespace paraprint::inline base
