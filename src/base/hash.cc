// MurmurHash3 is implemented here, because it hashes every word of every page and most words are shorter than one
// block: their cost is the tail, which load_partial() reads without a loop. BLAKE2b comes from libb2. Hashes are stored
// in profiles and indexes, so results must never change.
#include "base/hash.h"

#include <blake2.h>

#include <bit>
#include <cstring>

#include "base/assert.h"

namespace paraprint::inline base {
namespace {

static_assert(std::endian::native == std::endian::little, "the hashes below read little-endian words in place");

constexpr std::uint64_t kMurmurC1 = 0x87C37B91114253D5ULL;
constexpr std::uint64_t kMurmurC2 = 0x4CF5AD432745937FULL;

// memcpy, because words are not aligned; compilers turn it into a single load.
std::uint64_t load64(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

std::uint64_t load32(const char* bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// The last 1 to 8 bytes as a little-endian number. Uses two or three overlapping loads, because memcpy with a size
// known only at run time is a function call.
std::uint64_t load_partial(const char* bytes, std::size_t count) {
  if (count >= 4) return load32(bytes) | load32(bytes + count - 4) << (8 * (count - 4));
  const auto byte_at = [bytes](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  };
  return byte_at(0) | byte_at(count / 2) | byte_at(count - 1);
}

std::uint64_t scramble1(std::uint64_t k) {
  return std::rotl(k * kMurmurC1, 31) * kMurmurC2;
}
std::uint64_t scramble2(std::uint64_t k) {
  return std::rotl(k * kMurmurC2, 33) * kMurmurC1;
}

}  // namespace

Fingerprint128 murmur128(std::string_view bytes) {
  std::uint64_t h1 = 0;
  std::uint64_t h2 = 0;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  // Names and order of the steps are those of the reference implementation.
  for (; left >= 16; left -= 16, at += 16) {
    h1 ^= scramble1(load64(at));
    h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52DCE729;
    h2 ^= scramble2(load64(at + 8));
    h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495AB5;
  }
  // The reference processes the tail byte by byte; reading it as one number, zero-extended, gives the same result.
  if (left > 8) h2 ^= scramble2(load_partial(at + 8, left - 8));
  if (left > 0) h1 ^= scramble1(load_partial(at, left < 8 ? left : 8));
  h1 ^= bytes.size();
  h2 ^= bytes.size();
  h1 += h2;
  h2 += h1;
  h1 = mix64(h1);
  h2 = mix64(h2);
  h1 += h2;
  h2 += h1;
  return {h1, h2};
}

Fingerprint128 blake2b128(std::string_view bytes) {
  std::array<std::uint8_t, 16> digest;
  // Fails only for invalid lengths, which would be a programming error. No key, hence the null pointer.
  const int failed = blake2b(digest.data(), bytes.data(), nullptr, digest.size(), bytes.size(), 0);
  PARAPRINT_ASSERT(failed == 0);
  Fingerprint128 result;
  for (int i = 0; i < 8; ++i) {
    result.high = result.high << 8 | digest[static_cast<std::size_t>(i)];
    result.low = result.low << 8 | digest[static_cast<std::size_t>(i) + 8];
  }
  return result;
}

std::array<std::uint64_t, 2> text_hash_of(std::string_view content_text) {
  const Fingerprint128 hash = blake2b128(content_text);
  return {hash.high, hash.low};
}

}  // namespace paraprint::inline base
