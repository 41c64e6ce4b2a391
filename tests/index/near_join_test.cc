#include "index/near_join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <span>

#include "index/group_product.h"
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
  options.caps.group_cap = 12;  // some groups and buckets are above it
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

// What each part needs of a join of 64 bits, in parts that together find the pairs of the whole join.
TEST(HammingParts, PartsOf64BitsAddUpToTheWholeJoin) {
  std::mt19937_64 random(6);
  std::vector<std::uint64_t> values;
  for (int family = 0; family < 400; ++family) {
    values.push_back(random());
    for (int member = 0; member < 3; ++member) {
      values.push_back(values.back() ^ std::uint64_t{1} << random() % 64 ^ std::uint64_t{1} << random() % 64);
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  HammingJoinOptions options;
  options.distance_bits = 3;
  options.all_different = true;
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  const auto pairs_of = [&](const std::vector<std::uint64_t>& given, std::vector<Pair>& pairs) {
    const auto joined = hamming_join_64(
        given, options, [&](std::uint32_t i, std::uint32_t j, int) { pairs.emplace_back(given[i], given[j]); },
        [](std::span<const std::uint32_t>) {});
    ASSERT_TRUE(joined.has_value());
  };
  std::vector<Pair> expected;
  pairs_of(values, expected);
  std::sort(expected.begin(), expected.end());
  EXPECT_GT(expected.size(), 1000U);
  for (const std::uint32_t count : {1U, 2U, 7U, 300U}) {
    HammingParts parts(values.size(), options.distance_bits, count, 64);
    std::vector<Pair> found;
    for (std::uint32_t part = 0; part < count; ++part) {
      std::vector<std::uint64_t> own;
      for (const std::uint64_t value : values) {
        const std::span<const std::uint32_t> needed = parts.of({value, 0});
        if (std::binary_search(needed.begin(), needed.end(), part)) own.push_back(value);
      }
      options.part = HammingPart{values.size(), part, count};
      pairs_of(own, found);
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected) << count;
    options.part.reset();
  }
}

TEST(GroupProduct, PairsAllOrTheFirstOfEachWithAll) {
  GroupCaps caps;
  caps.group_cap = 4;
  caps.star_pages = 2;
  const auto pairs_of = [&](const std::vector<std::uint32_t>& left, const std::vector<std::uint32_t>& right,
                            std::uint64_t& left_out) {
    CandidatePairSorter sorter({});
    EXPECT_TRUE(push_product_pairs(left, right, caps, sorter, left_out).has_value());
    return read_all(sorter).size();
  };
  std::uint64_t left_out = 0;
  EXPECT_EQ(pairs_of({1, 2, 3, 4}, {5, 6, 7}, left_out), 12U);
  EXPECT_EQ(left_out, 0U);
  EXPECT_EQ(pairs_of({1, 2, 3}, {3, 4}, left_out), 5U);  // not page 3 with itself
  EXPECT_EQ(left_out, 1U);
  EXPECT_EQ(pairs_of({1, 2, 3, 4, 5}, {11, 12, 13, 14}, left_out), 2U * 4 + 3 * 2);
  EXPECT_EQ(left_out, 1U + 6);
}

TEST(GroupProduct, CountsTheVisitedPairs) {
  GroupCaps caps;
  caps.group_cap = 3;
  for (const std::uint32_t star_pages : {1, 2, 9}) {
    caps.star_pages = star_pages;
    for (std::size_t left = 1; left < 7; ++left) {
      for (std::size_t right = 1; right < 7; ++right) {
        std::set<std::pair<std::size_t, std::size_t>> visited;
        for_each_product_pair(left, right, caps, [&](std::size_t l, std::size_t r) {
          EXPECT_TRUE(!visited.empty() || (l == 0 && r == 0));
          EXPECT_TRUE(visited.emplace(l, r).second);
        });
        EXPECT_EQ(product_pairs(left, right, caps), visited.size()) << left << " x " << right;
      }
    }
  }
}

}  // namespace
}  // namespace paraprint
