#include "verify/close_paragraphs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/hamming_distance.h"

namespace paraprint {
namespace {

constexpr int kDistanceBits = 24;

Fingerprint128 with_flips(Fingerprint128 value, int bits, std::mt19937_64& random) {
  for (int i = 0; i < bits; ++i) (i % 2 == 0 ? value.low : value.high) ^= std::uint64_t{1} << (random() % 64);
  return value;
}

// `centres` groups of fingerprints that are near each other within the group, in random order.
std::vector<Fingerprint128> fingerprints(std::size_t count, std::size_t centres, int flips, std::mt19937_64& random) {
  std::vector<Fingerprint128> found;
  for (std::size_t i = 0; i < count; ++i) {
    std::mt19937_64 of_centre(random() % centres);
    found.push_back(with_flips({of_centre(), of_centre()}, flips, random));
  }
  return found;
}

std::vector<ClosePair> found_pairs(const std::vector<Fingerprint128>& a, const std::vector<Fingerprint128>& b) {
  std::vector<ClosePair> pairs;
  StopCheck never;
  CloseParagraphs().find(a, b, kDistanceBits, pairs, never);
  return pairs;
}

std::vector<ClosePair> all_pairs(const std::vector<Fingerprint128>& a, const std::vector<Fingerprint128>& b) {
  std::vector<ClosePair> pairs;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    for (std::uint32_t j = 0; j < b.size(); ++j) {
      const int bits = hamming_distance(a[i], b[j]);
      if (bits <= kDistanceBits) pairs.push_back({i, j, bits});
    }
  }
  return pairs;
}

// The definition of close_paragraphs.h, for lists short enough to be compared completely.
std::vector<ClosePair> kept_by_definition(const std::vector<Fingerprint128>& a, const std::vector<Fingerprint128>& b) {
  using Key = std::tuple<int, double, std::uint32_t>;
  std::map<std::uint32_t, std::vector<std::pair<Key, ClosePair>>> by_a;
  std::map<std::uint32_t, std::vector<std::pair<Key, ClosePair>>> by_b;
  for (const ClosePair& pair : all_pairs(a, b)) {
    const double apart = std::abs(static_cast<double>(pair.a) * static_cast<double>(b.size()) -
                                  static_cast<double>(pair.b) * static_cast<double>(a.size()));
    by_a[pair.a].push_back({{pair.bits, apart, pair.b}, pair});
    by_b[pair.b].push_back({{pair.bits, apart, pair.a}, pair});
  }
  std::vector<ClosePair> kept;
  for (auto* side : {&by_a, &by_b}) {
    for (auto& [place, pairs] : *side) {
      std::sort(pairs.begin(), pairs.end());
      if (pairs.size() > CloseParagraphs::kAllKept) pairs.resize(CloseParagraphs::kNearestKept);
      for (const auto& [key, pair] : pairs) kept.push_back(pair);
    }
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

TEST(CloseParagraphs, FindsAllPairsOfOrdinaryPages) {
  std::mt19937_64 random(1);
  for (int world = 0; world < 20; ++world) {
    const auto a = fingerprints(random() % 200, 30, 6, random);
    const auto b = fingerprints(random() % 200, 30, 6, random);
    ASSERT_EQ(found_pairs(a, b), all_pairs(a, b)) << world;
  }
  EXPECT_TRUE(found_pairs({}, fingerprints(5, 1, 0, random)).empty());
  EXPECT_TRUE(found_pairs(fingerprints(5, 1, 0, random), {}).empty());
}

TEST(CloseParagraphs, KeepsTheNearestOfTooMany) {
  std::mt19937_64 random(2);
  for (const auto& [size_a, size_b, centres, flips] :
       {std::tuple{300, 300, 1, 3}, {64, 200, 1, 2}, {200, 64, 1, 0}, {400, 300, 3, 8}, {1, 500, 1, 1}}) {
    const auto a = fingerprints(size_a, centres, flips, random);
    const auto b = fingerprints(size_b, centres, flips, random);
    ASSERT_EQ(found_pairs(a, b), kept_by_definition(a, b)) << size_a << " with " << size_b;
  }
}

TEST(CloseParagraphs, GivesTheSamePairsForExchangedPages) {
  std::mt19937_64 random(3);
  for (const auto& [size_a, size_b, centres] : {std::tuple{300, 200, 1}, {2000, 1500, 2}, {3000, 900, 40}}) {
    const auto a = fingerprints(size_a, centres, 5, random);
    const auto b = fingerprints(size_b, centres, 5, random);
    std::vector<ClosePair> exchanged = found_pairs(b, a);
    for (ClosePair& pair : exchanged) std::swap(pair.a, pair.b);
    std::sort(exchanged.begin(), exchanged.end());
    ASSERT_EQ(found_pairs(a, b), exchanged);
  }
}

// 5,000 by 5,000 fingerprints that are all near each other would be 25 million pairs.
TEST(CloseParagraphs, BoundsPairsOfVeryLongPages) {
  std::mt19937_64 random(4);
  const auto a = fingerprints(5000, 1, 4, random);
  const auto b = fingerprints(5000, 1, 4, random);
  const std::vector<ClosePair> pairs = found_pairs(a, b);
  EXPECT_LE(pairs.size(), 2 * CloseParagraphs::kNearestKept * a.size());
  EXPECT_GE(pairs.size(), CloseParagraphs::kNearestKept * a.size());
}

// A copy of a very long page, with a part inserted: its paragraphs stay close to their relative places.
TEST(CloseParagraphs, ComparesVeryLongPagesAtSimilarPlaces) {
  std::mt19937_64 random(5);
  const std::vector<Fingerprint128> a = fingerprints(4000, 1'000'000'000, 0, random);
  std::vector<Fingerprint128> b = a;
  const auto inserted = fingerprints(100, 1'000'000'000, 0, random);
  b.insert(b.begin() + 1000, inserted.begin(), inserted.end());
  EXPECT_EQ(found_pairs(a, b).size(), a.size());
}

}  // namespace
}  // namespace paraprint
