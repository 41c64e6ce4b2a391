#include "index/near_join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace paraprint {
namespace {

using Pairs = std::vector<CandidatePair>;

// Random fingerprints on a few pages each, and a family of near ones that is dense enough for buckets above the cap.
NearGroups groups_with_a_dense_family() {
  constexpr int kFamily = 1500;
  std::mt19937_64 random(3);
  std::vector<Fingerprint128> fingerprints;
  const Fingerprint128 centre{random(), random()};
  while (fingerprints.size() < kFamily) {
    Fingerprint128 near = centre;
    for (int bit = 0; bit < 2; ++bit) near.low ^= std::uint64_t{1} << random() % 64;
    fingerprints.push_back(near);
    fingerprints.push_back({random(), random()});
  }
  std::sort(fingerprints.begin(), fingerprints.end());
  fingerprints.erase(std::unique(fingerprints.begin(), fingerprints.end()), fingerprints.end());
  NearGroups groups(nullptr);
  for (const Fingerprint128& fingerprint : fingerprints) {
    std::vector<std::uint32_t> pages(1 + random() % 20);
    for (std::uint32_t& page : pages) page = static_cast<std::uint32_t>(random() % 10'000);
    std::sort(pages.begin(), pages.end());
    pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
    EXPECT_TRUE(groups.add(fingerprint, 100 + groups.size(), pages).has_value());
  }
  return groups;
}

Pairs read_all(CandidatePairSorter& sorter) {
  EXPECT_TRUE(sorter.finish().has_value());
  Pairs pairs;
  CandidatePair pair;
  while (sorter.next(pair)) pairs.push_back(pair);
  return pairs;
}

TEST(NearJoin, SingleTablesAddUpToTheWholeJoin) {
  const NearGroups groups = groups_with_a_dense_family();
  NearJoinOptions options;
  options.bucket_cap = 128;
  CandidatePairSorter whole({});
  const Result<NearJoinStatistics> joined = join_near_groups(groups, options, whole);
  ASSERT_TRUE(joined.has_value());
  EXPECT_GT(joined->hamming.buckets_over_cap, 0U);
  EXPECT_GT(joined->page_pairs_not_generated, 0U);
  const int tables = hamming_table_count_128(groups.size(), options.distance_bits);
  EXPECT_EQ(tables, joined->hamming.table_count);
  CandidatePairSorter parts({});
  std::uint64_t pairs = 0;
  for (int table = 0; table < tables; ++table) {
    options.only_table = table;
    const Result<NearJoinStatistics> part = join_near_groups(groups, options, parts);
    ASSERT_TRUE(part.has_value());
    pairs += part->hamming.pairs;
  }
  EXPECT_EQ(pairs, joined->hamming.pairs);
  EXPECT_EQ(read_all(parts), read_all(whole));
}

}  // namespace
}  // namespace paraprint
