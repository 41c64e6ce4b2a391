// The hash functions used in the definitions of fingerprints (docs/algorithms/hashes.md). All are pure and thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "paraprint/model.h"

namespace paraprint::inline base {

// MurmurHash3_x64_128 with seed 0 (A. Appleby, public domain): M128 = h1 * 2^64 + h2.
Fingerprint128 murmur128(std::string_view bytes);

// H64 of the definitions: h1 of MurmurHash3_x64_128.
inline std::uint64_t hash64(std::string_view bytes) {
  return murmur128(bytes).high;
}

// B128: BLAKE2b with a 16-byte digest, read as a big-endian number.
Fingerprint128 blake2b128(std::string_view bytes);

// What identifies a text: the B128 of its content characters, high half first. Equal hashes alone mean the verdict
// `same`, so nobody may be able to make a text that has the hash of another one.
std::array<std::uint64_t, 2> text_hash_of(std::string_view content_text);

// The finaliser of MurmurHash3: a bijection on 64-bit values in which every input bit affects every output bit.
constexpr std::uint64_t mix64(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xFF51AFD7ED558CCDULL;
  value ^= value >> 33;
  value *= 0xC4CEB9FE1A85EC53ULL;
  value ^= value >> 33;
  return value;
}

}  // namespace paraprint::inline base
