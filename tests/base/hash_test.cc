#include "base/hash.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace paraprint {
namespace {

std::string hex(Fingerprint128 value) {
  return fmt::format("{:016x}{:016x}", value.high, value.low);
}

// Test vectors for the hashes of docs/algorithms/hashes.md.
TEST(Hash, MatchesThePublishedVectors) {
  EXPECT_EQ(hex(murmur128("")), "00000000000000000000000000000000");
  EXPECT_EQ(hex(murmur128("abc")), "b4963f3f3fad78673ba2744126ca2d52");
  EXPECT_EQ(hex(murmur128("苹果")), "5b54e415841ea5340e46a134248fa3eb");
  EXPECT_EQ(hex(blake2b128("")), "cae66941d9efbd404e4d88758ea67670");
  EXPECT_EQ(hex(blake2b128("abc")), "cf4ab791c62b8d2b2109c90275287816");
  EXPECT_EQ(hex(blake2b128("苹果")), "f3d43608b7aa62a6bba9a2f6669fe620");
}

// Hashes the concatenated digests (h1 and h2 as little-endian bytes) of texts of 0 to 70 bytes. The expected value
// comes from Python's mmh3, an independent implementation.
TEST(Hash, EqualsAnIndependentImplementationAtEveryLength) {
  std::string digests;
  for (std::size_t size = 0; size <= 70; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 37 + 11 + size);
    bytes += "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";  // bytes after the text, which must not matter
    const Fingerprint128 digest = murmur128(std::string_view(bytes).substr(0, size));
    for (const std::uint64_t word : {digest.high, digest.low}) {
      for (unsigned shift = 0; shift < 64; shift += 8) digests += static_cast<char>(word >> shift);
    }
  }
  EXPECT_EQ(hex(murmur128(digests)), "361c32395b2209a4926bb6b544105a6e");
}

std::string counted_text(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(i * 37 + 11 + size);
  return text;
}

std::string big_endian(std::uint64_t word) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> shift);
  return bytes;
}

// The expected value is that of Python's hashlib.blake2b(digest_size=16), over its digests of all texts.
TEST(Hash, TextHashEqualsHashlibAtEveryLength) {
  std::string digests;
  for (std::size_t size = 0; size < 300; ++size) {
    const std::array<std::uint64_t, 2> hash = text_hash_of(counted_text(size));
    digests += big_endian(hash[0]) + big_endian(hash[1]);
  }
  EXPECT_EQ(hex(blake2b128(digests)), "de85148fceeb63f17cc4da0fac4c8fab");
}

}  // namespace
}  // namespace paraprint
