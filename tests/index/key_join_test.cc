#include "index/key_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace paraprint {
namespace {

std::vector<CandidatePair> join(std::vector<PageKey> keys, const GroupCaps& caps, KeyJoinStatistics& statistics,
                                std::uint64_t limit_bytes = 1 << 20) {
  PageKeySorter sorter({limit_bytes, ::testing::TempDir()});
  CandidatePairSorter pairs({limit_bytes, ::testing::TempDir()});
  for (const PageKey& key : keys) EXPECT_TRUE(sorter.push(key).has_value());
  EXPECT_TRUE(sorter.finish().has_value());
  EXPECT_TRUE(join_keys(sorter, caps, pairs, statistics).has_value());
  EXPECT_TRUE(pairs.finish().has_value());
  std::vector<CandidatePair> result;
  EXPECT_TRUE(pairs.for_each([&](const CandidatePair& pair) { result.push_back(pair); }).has_value());
  return result;
}

// The definition: for each pair of pages, the keys that both have.
std::vector<CandidatePair> brute_force(const std::vector<PageKey>& keys) {
  std::map<std::uint32_t, std::map<std::uint64_t, PageKey>> pages;
  for (const PageKey& key : keys) {
    const auto [slot, is_new] = pages[key.page].emplace(key.key, key);
    if (!is_new) slot->second.weight = std::max(slot->second.weight, key.weight);
  }
  std::vector<CandidatePair> result;
  for (const auto& [a, keys_a] : pages) {
    for (const auto& [b, keys_b] : pages) {
      if (a >= b) continue;
      CandidatePair pair{a, b};
      for (const auto& [key, record_a] : keys_a) {
        const auto found = keys_b.find(key);
        if (found == keys_b.end()) continue;
        pair.weight += std::min(record_a.weight, found->second.weight);
        ++pair.hits;
        pair.sources = static_cast<std::uint16_t>(pair.sources | record_a.source | found->second.source);
      }
      if (pair.hits > 0) result.push_back(pair);
    }
  }
  return result;
}

std::vector<PageKey> random_keys(std::uint64_t seed, std::size_t count, std::uint32_t pages, std::uint64_t keys) {
  std::mt19937_64 random(seed);
  std::vector<PageKey> result(count);
  for (PageKey& key : result) {
    key = {random() % keys * 0x9E3779B97F4A7C15ULL, static_cast<std::uint32_t>(random() % pages),
           static_cast<std::uint16_t>(random() % 100), kSourceAnchor};
  }
  return result;
}

TEST(KeyJoin, EqualsTheDefinitionForAnyMemoryLimitAndOrder) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<PageKey> keys = random_keys(seed, 1500, 60, 300);
    const auto expected = brute_force(keys);
    for (const std::uint64_t limit_bytes : {0ULL, 5000ULL, 1ULL << 20}) {
      KeyJoinStatistics statistics;
      EXPECT_EQ(join(keys, {}, statistics, limit_bytes), expected);
      EXPECT_EQ(statistics.pairs_not_generated, 0U);
      std::shuffle(keys.begin(), keys.end(), std::mt19937_64(seed));
    }
  }
}

TEST(KeyJoin, KeepsTheSourceOfBothEnds) {
  KeyJoinStatistics statistics;
  const auto pairs = join({{7, 0, 40, kSourceAnchor}, {7, 1, 50, kSourceParagraph}}, {}, statistics);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0], (CandidatePair{0, 1, 40, 1, kSourceAnchor | kSourceParagraph}));
}

TEST(KeyJoin, StaysLinearAndConnectedAboveTheCap) {
  constexpr std::uint32_t kPages = 100000;
  std::vector<PageKey> keys;
  for (std::uint32_t page = 0; page < kPages; ++page) keys.push_back({99, page, 10, kSourceParagraph});
  KeyJoinStatistics statistics;
  const GroupCaps caps;
  const auto pairs = join(keys, caps, statistics);
  EXPECT_EQ(statistics.groups_over_cap, 1U);
  EXPECT_EQ(statistics.largest_group, kPages);
  EXPECT_LE(pairs.size(), std::size_t{kPages} * (caps.star_pages + caps.neighbour_pages));
  EXPECT_EQ(statistics.pairs_generated, pairs.size());
  EXPECT_EQ(statistics.pairs_generated + statistics.pairs_not_generated, std::uint64_t{kPages} * (kPages - 1) / 2);
  std::set<std::uint32_t> with_first{0};
  for (const CandidatePair& pair : pairs) {
    if (pair.page_a == 0) with_first.insert(pair.page_b);
  }
  EXPECT_EQ(with_first.size(), kPages);
}

TEST(KeyJoin, PairsAllPagesUpToTheCap) {
  for (const std::size_t size : {2U, 255U, 256U, 257U}) {
    std::set<std::pair<std::size_t, std::size_t>> seen;
    const std::uint64_t generated = for_each_group_pair(size, GroupCaps{}, [&](std::size_t first, std::size_t second) {
      EXPECT_LT(first, second);
      EXPECT_LT(second, size);
      EXPECT_TRUE(seen.emplace(first, second).second);
    });
    EXPECT_EQ(generated, seen.size());
    EXPECT_EQ(generated == size * (size - 1) / 2, size <= 256);
  }
}

}  // namespace
}  // namespace paraprint
