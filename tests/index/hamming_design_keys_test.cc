// Keys of designs. The oracle for "within the distance" is the count of different bits.
#include "index/hamming_design_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace paraprint {
namespace {

std::vector<std::uint64_t> keys_of(const HammingDesignKeys& design, const Fingerprint128& fingerprint) {
  std::vector<std::uint64_t> keys;
  design.append(fingerprint, keys);
  return keys;
}

// The number of tables in which both have the same key.
std::size_t common_keys(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == b[i];
  return count;
}

struct DesignCase {
  int bits = 64;
  HammingDesign design;
  std::size_t tables = 0;
};

TEST(HammingDesignKeys, FingerprintsWithinTheDistanceHaveAKeyInCommon) {
  std::mt19937_64 random(3);
  for (const DesignCase& known :
       {DesignCase{64, {3, {4}}, 4}, DesignCase{64, {3, {5}}, 10}, DesignCase{64, {3, {4, 4}}, 16},
        DesignCase{64, {3, {6}}, 20}, DesignCase{64, {0, {1}}, 1}, DesignCase{128, {6, {7}}, 7},
        DesignCase{128, {6, {8}}, 28}, DesignCase{128, {12, {14}}, 91}}) {
    const auto design = HammingDesignKeys::create(known.design, known.bits);
    ASSERT_TRUE(design) << design.error().message;
    std::size_t missed_beyond = 0;
    for (int round = 0; round < 500; ++round) {
      const Fingerprint128 a = {random(), known.bits == 128 ? random() : 0};
      const auto a_keys = keys_of(*design, a);
      ASSERT_EQ(a_keys.size(), known.tables);
      EXPECT_EQ(std::set<std::uint64_t>(a_keys.begin(), a_keys.end()).size(), known.tables);
      // Different bits at random places, up to the distance; then one in every eighth bit, far beyond it.
      Fingerprint128 near = a;
      for (int flips = known.design.distance_bits; flips > 0; --flips) {
        const auto bit = static_cast<int>(random() % static_cast<std::uint64_t>(known.bits));
        (bit < 64 ? near.high : near.low) ^= std::uint64_t{1} << bit % 64;
      }
      EXPECT_GE(common_keys(a_keys, keys_of(*design, near)), 1U);
      Fingerprint128 far = a;
      far.high ^= 0x0101010101010101ULL;
      if (known.bits == 128) far.low ^= 0x0101010101010101ULL;
      missed_beyond += common_keys(a_keys, keys_of(*design, far)) == 0;
    }
    EXPECT_EQ(missed_beyond, 500U) << known.tables;  // every block has a different bit
  }
}

TEST(HammingDesignKeys, TheShortestKeySaysHowManyMatchByChance) {
  EXPECT_EQ(HammingDesignKeys::create({3, {4}}, 64)->key_bits_minimum(), 16);
  EXPECT_EQ(HammingDesignKeys::create({3, {5}}, 64)->key_bits_minimum(), 25);
  EXPECT_EQ(HammingDesignKeys::create({3, {6}}, 64)->key_bits_minimum(), 31);
}

TEST(HammingDesignKeys, SixtyFourBitsIgnoreTheLowHalf) {
  const auto design = HammingDesignKeys::create({3, {5}}, 64);
  ASSERT_TRUE(design);
  EXPECT_EQ(keys_of(*design, {17, 0}), keys_of(*design, {17, 42}));
}

// Tables keep the leading bits of a key; those of near fingerprints must differ as those of any others.
TEST(HammingDesignKeys, LeadingBitsSpreadKeysOfFingerprintsThatDifferInOneBit) {
  const auto design = HammingDesignKeys::create({3, {4}}, 64);
  ASSERT_TRUE(design);
  std::set<std::uint64_t> leading;
  for (int bit = 0; bit < 16; ++bit) leading.insert(keys_of(*design, {std::uint64_t{1} << (48 + bit), 0})[0] >> 36);
  EXPECT_EQ(leading.size(), 16U);
}

TEST(HammingDesignKeys, RefusesDesignsThatTablesRefuse) {
  EXPECT_EQ(HammingDesignKeys::create({3, {3}}, 64).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(HammingDesignKeys::create({3, {}}, 64).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace paraprint
