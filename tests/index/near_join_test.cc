#include "index/near_join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>

#include "index/hamming_parts.h"

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
    const auto count = static_cast<std::uint32_t>(pages.size());
    EXPECT_TRUE(groups.add(fingerprint, 100 + groups.size(), pages, count).has_value());
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

// The groups that a part of a divided join needs, with only the pages that may be paired.
NearGroups groups_of_part(const NearGroups& all, HammingParts& parts, std::uint32_t part, const GroupCaps& caps) {
  NearGroups groups(nullptr);
  for (std::uint32_t group = 0; group < all.size(); ++group) {
    const std::span<const std::uint32_t> needed = parts.of(all.fingerprints()[group]);
    if (std::find(needed.begin(), needed.end(), part) == needed.end()) continue;
    const std::span<const std::uint32_t> pages = all.pages_of(group);
    const auto joined = pages.first(pages_to_join(pages.size(), caps));
    EXPECT_TRUE(groups.add(all.fingerprints()[group], all.weight(group), joined, all.page_count(group)).has_value());
  }
  return groups;
}

TEST(NearJoin, PartsAddUpToTheWholeJoin) {
  const NearGroups groups = groups_with_a_dense_family();
  NearJoinOptions options;
  options.bucket_cap = 128;
  options.caps.group_cap = 12;  // some groups are above it
  CandidatePairSorter whole({});
  const Result<NearJoinStatistics> joined = join_near_groups(groups, options, whole);
  ASSERT_TRUE(joined.has_value());
  EXPECT_GT(joined->hamming.buckets_over_cap, 0U);
  EXPECT_GT(joined->page_pairs_not_generated, 0U);
  const Pairs expected = read_all(whole);
  for (const std::uint32_t count : {1U, 2U, 5U, 300U}) {
    HammingParts parts(groups.size(), options.distance_bits, count);
    CandidatePairSorter found({});
    NearJoinStatistics sums;
    for (std::uint32_t part = 0; part < count; ++part) {
      const NearGroups own = groups_of_part(groups, parts, part, options.caps);
      if (count > 1) {
        EXPECT_LT(own.size(), groups.size()) << "part " << part << " of " << count;
      }
      options.part = HammingPart{groups.size(), part, count};
      const Result<NearJoinStatistics> of_part = join_near_groups(own, options, found);
      ASSERT_TRUE(of_part.has_value());
      sums.hamming.pairs += of_part->hamming.pairs;
      sums.hamming.comparisons += of_part->hamming.comparisons;
      sums.hamming.buckets_over_cap += of_part->hamming.buckets_over_cap;
      sums.page_pairs_not_generated += of_part->page_pairs_not_generated;
    }
    EXPECT_EQ(sums.hamming.pairs, joined->hamming.pairs) << count;
    EXPECT_EQ(sums.hamming.comparisons, joined->hamming.comparisons) << count;
    EXPECT_EQ(sums.hamming.buckets_over_cap, joined->hamming.buckets_over_cap) << count;
    EXPECT_EQ(sums.page_pairs_not_generated, joined->page_pairs_not_generated) << count;
    EXPECT_EQ(read_all(found), expected) << count;
  }
}

}  // namespace
}  // namespace paraprint
