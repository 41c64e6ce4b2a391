#include "index/page_keys.h"

#include <gtest/gtest.h>

#include <random>

#include "base/hamming_distance.h"

namespace paraprint {
namespace {

constexpr int kDistanceBits = 6;

// Fingerprints in groups of `group` that are near each other, and others that are not.
PageKeys near_keys(std::size_t count, std::size_t group, std::mt19937_64& random) {
  PageKeys keys;
  for (std::size_t i = 0; i < count; ++i) {
    std::mt19937_64 of_group(i / group);
    Fingerprint128 fingerprint = {of_group(), of_group()};
    fingerprint.low ^= std::uint64_t{1} << (random() % 64);
    fingerprint.high ^= std::uint64_t{1} << (random() % 64);
    keys.near.push_back(
        {fingerprint, static_cast<std::uint32_t>(20 + random() % 100'000), static_cast<std::uint32_t>(i)});
  }
  keys.make_distinct();
  return keys;
}

CandidatePair by_all_pairs(const PageKeys& a, const PageKeys& b) {
  std::uint64_t weight = 0;
  std::uint64_t hits = 0;
  for (const NearKey& x : a.near) {
    for (const NearKey& y : b.near) {
      const int bits = hamming_distance(x.fingerprint, y.fingerprint);
      if (bits > kDistanceBits) continue;
      ++hits;
      const std::uint32_t smaller = std::min(x.weight, y.weight);
      weight += bits == 0 ? smaller : std::min<std::uint32_t>(smaller, 0xFFFF);
    }
  }
  CandidatePair pair;
  pair.weight = static_cast<std::uint32_t>(std::min<std::uint64_t>(weight, 0xFFFFFFFF));
  pair.hits = static_cast<std::uint16_t>(std::min<std::uint64_t>(hits, 0xFFFF));
  pair.sources = hits > 0 ? kSourceSimhash : 0;
  return pair;
}

// The longer lists are compared at similar places, where these have their equals.
TEST(PageKeys, CountsTheSameNearKeysInShortAndLongPages) {
  std::mt19937_64 random(1);
  for (const auto& [size_a, size_b] : {std::pair<std::size_t, std::size_t>{50, 70}, {1024, 1024}, {3000, 2960}}) {
    for (const std::size_t group : {1, 3}) {
      const PageKeys a = near_keys(size_a, group, random);
      PageKeys b = near_keys(size_b, group, random);
      b.near.insert(b.near.end(), a.near.begin(), a.near.begin() + 10);  // equal ones too
      b.make_distinct();
      EXPECT_EQ(keys_in_common(a, b, kDistanceBits), by_all_pairs(a, b));
      EXPECT_EQ(keys_in_common(b, a, kDistanceBits), by_all_pairs(a, b));
      EXPECT_EQ(keys_in_common(a, b, -1).hits, 0);
    }
  }
}

// Thousands of fingerprints that are all near each other: some hits are enough.
TEST(PageKeys, FindsVeryLongPagesOfNearParagraphs) {
  std::mt19937_64 random(2);
  const PageKeys a = near_keys(20'000, 20'000, random);
  const PageKeys b = near_keys(20'000, 20'000, random);
  const CandidatePair pair = keys_in_common(a, b, kDistanceBits);
  EXPECT_GT(pair.hits, 10'000);
  EXPECT_EQ(pair.sources, kSourceSimhash);
}

// The filter sees what the comparison sees, whichever key it is.
TEST(PageKeys, FilterPassesOneNearKeyAmongMany) {
  std::mt19937_64 random(4);
  for (const std::size_t size : {1, 7, 8, 63, 500}) {
    const PageKeys keys = near_keys(size, 1, random);
    Profile other;
    other.paragraphs.resize(5);
    for (ParagraphProfile& paragraph : other.paragraphs) {
      paragraph.has_simhash = true;
      paragraph.simhash = {random(), random()};
    }
    EXPECT_FALSE(may_have_keys_in_common(keys, other, kDistanceBits));
    other.paragraphs[3].simhash = keys.near[random() % keys.near.size()].fingerprint;
    other.paragraphs[3].simhash.low ^= 1U << 5 | 1U << 9;
    EXPECT_TRUE(may_have_keys_in_common(keys, other, kDistanceBits));
    EXPECT_FALSE(may_have_keys_in_common(keys, other, 1));
    EXPECT_FALSE(may_have_keys_in_common(keys, other, -1));
  }
}

TEST(PageKeys, LetsVeryLongPagesPassTheFilter) {
  std::mt19937_64 random(3);
  const PageKeys keys = near_keys(2000, 1, random);
  Profile other;
  other.paragraphs.resize(2000);
  EXPECT_TRUE(may_have_keys_in_common(keys, other, kDistanceBits));
  other.paragraphs.resize(10);
  EXPECT_FALSE(may_have_keys_in_common(keys, other, kDistanceBits));
}

}  // namespace
}  // namespace paraprint
