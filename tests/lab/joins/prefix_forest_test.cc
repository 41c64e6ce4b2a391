#include "lab/joins/prefix_forest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace paraprint {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
using Signature = std::vector<std::uint64_t>;

struct ForestAnswer {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::vector<std::vector<std::uint32_t>> equal;
  PrefixForestStatistics statistics;
};

ForestAnswer search(const std::vector<Signature>& signatures, const PrefixForestOptions& options) {
  ForestAnswer answer;
  const std::vector<std::span<const std::uint64_t>> views(signatures.begin(), signatures.end());
  const auto joined = join_prefix_forest(
      views, options, [&](std::uint32_t i, std::uint32_t j) { answer.pairs.emplace_back(i, j); },
      [&](std::span<const std::uint32_t> indices) { answer.equal.emplace_back(indices.begin(), indices.end()); });
  EXPECT_TRUE(joined.has_value());
  if (joined) answer.statistics = *joined;
  return answer;
}

std::size_t equal_places(const Signature& a, const Signature& b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1 : 0;
  return equal;
}

// The search as published, without trees, on distinct signatures: all prefixes are shortened together until there are
// enough leaves or signatures.
std::vector<std::uint32_t> by_definition(const std::vector<Signature>& signatures, std::uint32_t query,
                                         const PrefixForestOptions& options) {
  const std::size_t depth = signatures[0].size() / options.trees;
  std::map<std::uint32_t, std::size_t> found;  // signature -> number of trees with the prefix
  for (std::size_t length = depth; length > 0; --length) {
    found.clear();
    std::size_t leaves = 0;
    for (std::uint32_t other = 0; other < signatures.size(); ++other) {
      for (std::size_t tree = 0; tree < options.trees && other != query; ++tree) {
        const auto begin = static_cast<std::ptrdiff_t>(tree * depth);
        const auto end = begin + static_cast<std::ptrdiff_t>(length);
        if (!std::equal(signatures[other].begin() + begin, signatures[other].begin() + end,
                        signatures[query].begin() + begin)) {
          continue;
        }
        ++leaves;
        ++found[other];
      }
    }
    if (leaves >= std::size_t{options.candidates_of_a_tree} * options.trees || found.size() >= options.neighbours)
      break;
  }
  std::vector<std::uint32_t> ranked;
  for (const auto& [other, trees] : found) ranked.push_back(other);
  std::stable_sort(ranked.begin(), ranked.end(), [&](std::uint32_t a, std::uint32_t b) {
    return equal_places(signatures[a], signatures[query]) > equal_places(signatures[b], signatures[query]);
  });
  ranked.resize(std::min<std::size_t>(ranked.size(), options.neighbours));
  return ranked;
}

// Distinct signatures, most of them copies of earlier ones with some places changed.
std::vector<Signature> random_signatures(std::uint64_t seed, std::size_t count, std::size_t places) {
  std::mt19937_64 random(seed);
  std::vector<Signature> signatures;
  while (signatures.size() < count) {
    Signature signature(places);
    for (std::uint64_t& value : signature) value = random() % 50;
    if (!signatures.empty() && random() % 4 != 0) {
      signature = signatures[random() % signatures.size()];
      for (std::uint64_t edits = 1 + random() % places; edits > 0; --edits)
        signature[random() % places] = random() % 50;
    }
    if (std::find(signatures.begin(), signatures.end(), signature) == signatures.end()) signatures.push_back(signature);
  }
  return signatures;
}

TEST(PrefixForest, EqualsTheDefinition) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<Signature> signatures = random_signatures(seed, 80, 12);
    for (const std::uint32_t trees : {1U, 3U, 6U}) {
      const PrefixForestOptions options{trees, static_cast<std::uint32_t>(1 + seed), 2, 0};
      Pairs expected;
      for (std::uint32_t query = 0; query < signatures.size(); ++query) {
        for (const std::uint32_t near : by_definition(signatures, query, options)) {
          expected.emplace(std::min(query, near), std::max(query, near));
        }
      }
      const ForestAnswer answer = search(signatures, options);
      EXPECT_TRUE(std::is_sorted(answer.pairs.begin(), answer.pairs.end()));
      EXPECT_EQ(answer.pairs.size(), expected.size());
      EXPECT_EQ(Pairs(answer.pairs.begin(), answer.pairs.end()), expected) << "seed " << seed << ", trees " << trees;
      EXPECT_EQ(answer.statistics.searches_cut, 0U);
    }
  }
}

TEST(PrefixForest, FindsEveryEqualSignature) {
  std::vector<Signature> signatures = random_signatures(7, 50, 12);
  for (const std::size_t copied : {3U, 3U, 9U}) signatures.push_back(signatures[copied]);
  const ForestAnswer answer = search(signatures, {3});
  EXPECT_EQ(answer.equal.size(), 2U);
  EXPECT_TRUE(std::find(answer.equal.begin(), answer.equal.end(), std::vector<std::uint32_t>{3, 50, 51}) !=
              answer.equal.end());
  EXPECT_EQ(answer.statistics.distinct_signatures, 50U);
}

// A crowd that agrees in almost everything: the work stays linear, cut searches are counted, and every signature is
// paired.
TEST(PrefixForest, IsLinearInACrowd) {
  constexpr std::uint32_t kCrowd = 5000;
  std::vector<Signature> signatures;
  for (std::uint64_t i = 0; i < kCrowd; ++i) {
    signatures.emplace_back(12, 1);
    signatures.back().back() = i;
  }
  const PrefixForestOptions options{3, 20, 2, 64};
  const ForestAnswer answer = search(signatures, options);
  EXPECT_LE(answer.statistics.leaves_read, std::uint64_t{kCrowd} * options.trees * options.leaf_cap);
  EXPECT_GT(answer.statistics.searches_cut, 0U);
  std::set<std::uint32_t> paired;
  for (const auto& [i, j] : answer.pairs) paired.insert({i, j});
  EXPECT_EQ(paired.size(), kCrowd);
}

TEST(PrefixForest, RejectsSignaturesOfInvalidLength) {
  const auto error_of = [](const std::vector<Signature>& signatures, const PrefixForestOptions& options) {
    const std::vector<std::span<const std::uint64_t>> views(signatures.begin(), signatures.end());
    return join_prefix_forest(
               views, options, [](auto, auto) { FAIL(); }, [](auto) { FAIL(); })
        .has_value();
  };
  EXPECT_TRUE(error_of({}, {}));
  EXPECT_TRUE(error_of({{1, 2}}, {2}));
  EXPECT_FALSE(error_of({{1, 2, 3}}, {2}));
  EXPECT_FALSE(error_of({{1, 2}, {1, 2, 3, 4}}, {2}));
  EXPECT_FALSE(error_of({{1, 2}}, {0}));
}

}  // namespace
}  // namespace paraprint
