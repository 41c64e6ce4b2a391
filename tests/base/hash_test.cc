#include "base/hash.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>

namespace paraprint {
namespace {

std::string hex(Fingerprint128 value) {
  return fmt::format("{:016x}{:016x}", value.high, value.low);
}

// algorithms.md 0.4: the table of test vectors.
TEST(Hash, GivesThePublishedVectors) {
  EXPECT_EQ(hex(murmur128("")), "00000000000000000000000000000000");
  EXPECT_EQ(hex(murmur128("abc")), "b4963f3f3fad78673ba2744126ca2d52");
  EXPECT_EQ(hex(murmur128("苹果")), "5b54e415841ea5340e46a134248fa3eb");
  EXPECT_EQ(hex(blake2b128("")), "cae66941d9efbd404e4d88758ea67670");
  EXPECT_EQ(hex(blake2b128("abc")), "cf4ab791c62b8d2b2109c90275287816");
  EXPECT_EQ(hex(blake2b128("苹果")), "f3d43608b7aa62a6bba9a2f6669fe620");
}

// MurmurHash3_x64_128 as it is published, with the tail byte by byte.
Fingerprint128 murmur128_reference(std::string_view bytes) {
  constexpr std::uint64_t kC1 = 0x87C37B91114253D5ULL;
  constexpr std::uint64_t kC2 = 0x4CF5AD432745937FULL;
  const auto word_at = [&](std::size_t begin) {  // what is behind the end counts as zero
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8 && begin + i < bytes.size(); ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(bytes[begin + i])} << (8 * i);
    }
    return word;
  };
  std::uint64_t h1 = 0;
  std::uint64_t h2 = 0;
  std::size_t at = 0;
  for (; at + 16 <= bytes.size(); at += 16) {
    h1 = (std::rotl(h1 ^ std::rotl(word_at(at) * kC1, 31) * kC2, 27) + h2) * 5 + 0x52DCE729;
    h2 = (std::rotl(h2 ^ std::rotl(word_at(at + 8) * kC2, 33) * kC1, 31) + h1) * 5 + 0x38495AB5;
  }
  h2 ^= std::rotl(word_at(at + 8) * kC2, 33) * kC1;
  h1 ^= std::rotl(word_at(at) * kC1, 31) * kC2;
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

TEST(Hash, EqualsTheReferenceAtEveryLength) {
  std::mt19937_64 random(20261123);
  for (std::size_t size = 0; size <= 70; ++size) {
    for (int round = 0; round < 20; ++round) {
      std::string bytes(size, '\0');
      for (char& byte : bytes) byte = static_cast<char>(random());
      const std::string behind = bytes + "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";  // bytes that do not belong to it
      EXPECT_EQ(murmur128(std::string_view(behind).substr(0, size)), murmur128_reference(bytes)) << size;
    }
  }
}

}  // namespace
}  // namespace paraprint
