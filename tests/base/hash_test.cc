#include "base/hash.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace paraprint
