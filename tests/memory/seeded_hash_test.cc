#include "memory/seeded_hash.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace paraprint {
namespace {

// From Python 3.11, whose hash of bytes is SipHash-1-3, with the key 0 (PYTHONHASHSEED=0).
TEST(SipHash, EqualsPythons) {
  const HashSeed zero;
  EXPECT_EQ(sip_hash("a", zero), 0x407448D2B89B1813U);
  EXPECT_EQ(sip_hash("abc", zero), 0xC03BC3A0042630F2U);
  EXPECT_EQ(sip_hash("abcdefg", zero), 0x6DB12AAE9070F506U);
  EXPECT_EQ(sip_hash("abcdefgh", zero), 0x3F7B849C0B8E35EAU);
  EXPECT_EQ(sip_hash("苹果", zero), 0xAB3C91DB4CA506B3U);
  EXPECT_EQ(sip_hash("https://www.example.org/a/b?c=d", zero), 0x50879A87A7D64CF2U);
}

TEST(SipHash, DependsOnBothHalvesOfTheSeed) {
  EXPECT_NE(sip_hash("abc", {0, 0}), sip_hash("abc", {1, 0}));
  EXPECT_NE(sip_hash("abc", {0, 0}), sip_hash("abc", {0, 1}));
  EXPECT_NE(seeded_mix64(7, {0, 0}), seeded_mix64(7, {1, 0}));
  EXPECT_NE(seeded_mix64(7, {0, 0}), seeded_mix64(7, {0, 1}));
}

TEST(SeededHash, HasASeedOfItsProcess) {
  EXPECT_EQ(&process_hash_seed(), &process_hash_seed());
  EXPECT_NE(process_hash_seed().low, 0U);
  EXPECT_NE(process_hash_seed().low, process_hash_seed().high);
}

// Made-up words for MurmurHash64A, which std::hash is in libstdc++: both of a pair leave it in the same state, so
// strings of one word from each pair have one hash.
TEST(SeededHash, SpreadsStringsThatStdHashPutsIntoOneBucket) {
  using Pair = std::array<std::string_view, 2>;
  constexpr std::array<Pair, 6> kPairs = {
      Pair{"collidingabcdefg", "6dt3caaaxz3jpcli"}, Pair{"collidingbbcdefg", "9clscaaamn96mttd"},
      Pair{"collidingcbcdefg", "02megaaa8ilpd4ct"}, Pair{"collidingdbcdefg", "wkmccaaagp7bb82f"},
      Pair{"collidingebcdefg", "pw9rlaaa7fl0jzje"}, Pair{"collidingfbcdefg", "susicaaabkcd7oyu"}};
  constexpr std::size_t kStrings = std::size_t{1} << kPairs.size();
  std::set<std::size_t> unseeded;
  std::set<std::size_t> seeded;
  for (std::size_t choice = 0; choice < kStrings; ++choice) {
    std::string text;
    for (std::size_t pair = 0; pair < kPairs.size(); ++pair) text += kPairs[pair][choice >> pair & 1];
    unseeded.insert(std::hash<std::string>()(text));
    seeded.insert(SeededHash()(text));
  }
#ifdef __GLIBCXX__
  EXPECT_EQ(unseeded.size(), 1U) << "the attack itself no longer works";
#endif
  EXPECT_EQ(seeded.size(), kStrings);
}

}  // namespace
}  // namespace paraprint
