#include "lab/joins/set_overlap_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace paraprint {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

struct SetWorld {
  std::vector<std::vector<std::uint64_t>> values;
  std::vector<std::vector<float>> weights;

  void add(const std::map<std::uint64_t, float>& elements) {
    values.emplace_back();
    weights.emplace_back();
    for (const auto& [value, weight] : elements) {
      values.back().push_back(value);
      weights.back().push_back(weight);
    }
  }
};

struct Views {
  std::vector<std::span<const std::uint64_t>> values;
  std::vector<std::span<const float>> weights;
  explicit Views(const SetWorld& world)
      : values(world.values.begin(), world.values.end()), weights(world.weights.begin(), world.weights.end()) {}
  SetCollection collection() const { return {values, weights}; }
};

// Sets drawn from `element_count` elements, small numbers far more often, and copies of earlier sets with a few
// elements changed, removed or added.
SetWorld random_set_world(std::uint64_t seed, std::size_t set_count, std::uint64_t element_count, std::size_t largest) {
  std::mt19937_64 random(seed);
  const auto element = [&] {
    const double uniform = std::uniform_real_distribution<double>(0, 1)(random);
    return static_cast<std::uint64_t>(std::pow(static_cast<double>(element_count), uniform)) * 0x9E3779B97F4A7C15ULL;
  };
  const auto weight = [&] { return static_cast<float>(random() % 5); };
  std::vector<std::map<std::uint64_t, float>> sets;
  for (std::size_t i = 0; i < set_count; ++i) {
    std::map<std::uint64_t, float> set;
    if (i > 0 && random() % 3 != 0) {
      set = sets[random() % i];
      for (std::uint64_t edits = random() % 5; edits > 0 && !set.empty(); --edits) {
        if (random() % 2 == 0) set.erase(std::next(set.begin(), static_cast<std::ptrdiff_t>(random() % set.size())));
        if (random() % 2 == 0) set[element()] = weight();
      }
    } else {
      for (std::uint64_t size = random() % (largest + 1); size > 0; --size) set[element()] = weight();
    }
    sets.push_back(std::move(set));
  }
  SetWorld world;
  for (const auto& set : sets) world.add(set);
  return world;
}

double similarity(const SetWorld& world, OverlapMeasure measure, std::size_t a, std::size_t b) {
  double common = 0;
  double product = 0;
  double lesser = 0;
  double total = 0;
  double square_a = 0;
  double square_b = 0;
  for (std::size_t i = 0; i < world.values[a].size(); ++i) {
    square_a += static_cast<double>(world.weights[a][i]) * world.weights[a][i];
    total += world.weights[a][i];
    const auto found = std::lower_bound(world.values[b].begin(), world.values[b].end(), world.values[a][i]);
    if (found == world.values[b].end() || *found != world.values[a][i]) continue;
    ++common;
    const float weight_b = world.weights[b][static_cast<std::size_t>(found - world.values[b].begin())];
    product += static_cast<double>(world.weights[a][i]) * weight_b;
    lesser += std::min(world.weights[a][i], weight_b);
  }
  for (const float weight : world.weights[b]) {
    square_b += static_cast<double>(weight) * weight;
    total += weight;
  }
  const auto size_a = static_cast<double>(world.values[a].size());
  const auto size_b = static_cast<double>(world.values[b].size());
  switch (measure) {
    case OverlapMeasure::kJaccard:
      return common / std::max(1.0, size_a + size_b - common);
    case OverlapMeasure::kContainment:
      return common / std::max(1.0, std::min(size_a, size_b));
    case OverlapMeasure::kCosine:
      return square_a * square_b > 0 ? product / std::sqrt(square_a * square_b) : 0;
    case OverlapMeasure::kWeightedJaccard:
      return lesser / std::max(1.0, total - lesser);
  }
  return 0;
}

double square_of_weights(const SetWorld& world, std::size_t set) {
  return std::inner_product(world.weights[set].begin(), world.weights[set].end(), world.weights[set].begin(), 0.0);
}

struct OverlapAnswer {
  Pairs pairs;
  std::vector<std::vector<std::uint32_t>> equal;
  SetOverlapStatistics statistics;
};

OverlapAnswer join_sets(const SetWorld& world, const SetOverlapOptions& options) {
  OverlapAnswer answer;
  const Views views(world);
  const auto joined = set_overlap_join(
      views.collection(), options,
      [&](std::uint32_t a, std::uint32_t b) {
        EXPECT_LT(a, b);
        EXPECT_TRUE(answer.pairs.emplace(a, b).second) << a << ' ' << b << " twice";
      },
      [&](std::span<const std::uint32_t> indices) {
        EXPECT_TRUE(std::is_sorted(indices.begin(), indices.end()));
        EXPECT_TRUE(answer.pairs.empty()) << "equal sets come first";
        answer.equal.emplace_back(indices.begin(), indices.end());
      });
  EXPECT_TRUE(joined.has_value());
  if (joined) answer.statistics = *joined;
  return answer;
}

// All pairs of members of the groups.
Pairs expanded(const OverlapAnswer& answer) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> group_of;
  Pairs pairs;
  const auto add = [&](std::uint32_t a, std::uint32_t b) { pairs.emplace(std::min(a, b), std::max(a, b)); };
  for (const auto& group : answer.equal) {
    group_of[group.front()] = group;
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) add(group[i], group[j]);
    }
  }
  const auto members = [&](std::uint32_t set) {
    const auto found = group_of.find(set);
    return found == group_of.end() ? std::vector<std::uint32_t>{set} : found->second;
  };
  for (const auto& [a, b] : answer.pairs) {
    for (const std::uint32_t member_a : members(a)) {
      for (const std::uint32_t member_b : members(b)) add(member_a, member_b);
    }
  }
  return pairs;
}

constexpr OverlapMeasure kMeasures[] = {OverlapMeasure::kJaccard, OverlapMeasure::kContainment, OverlapMeasure::kCosine,
                                        OverlapMeasure::kWeightedJaccard};

TEST(SetOverlapJoin, EqualsTheDefinition) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const SetWorld world = random_set_world(seed, 120, seed % 2 == 0 ? 40 : 2000, seed % 3 == 0 ? 6 : 40);
    for (const OverlapMeasure measure : kMeasures) {
      for (const double minimum : {0.05, 0.3, 0.5, 2.0 / 3, 0.8, 0.9, 1.0}) {
        const OverlapAnswer answer = join_sets(world, {measure, minimum});
        const Pairs pairs = expanded(answer);
        for (std::uint32_t b = 0; b < world.values.size(); ++b) {
          for (std::uint32_t a = 0; a < b; ++a) {
            const double value = similarity(world, measure, a, b);
            if (measure == OverlapMeasure::kCosine && std::abs(value - minimum) < 1e-8) continue;
            if (square_of_weights(world, a) == 0 && square_of_weights(world, b) == 0) continue;  // equal for the join
            ASSERT_EQ(pairs.contains({a, b}), value >= minimum)
                << "seed " << seed << ", measure " << static_cast<int>(measure) << ", minimum " << minimum << ": " << a
                << ' ' << b << " have " << value;
          }
        }
        EXPECT_EQ(answer.statistics.pairs, answer.pairs.size());
        EXPECT_EQ(answer.statistics.postings_not_read, 0U);
        EXPECT_LE(answer.statistics.comparisons, answer.statistics.postings_read);
      }
    }
  }
}

TEST(SetOverlapJoin, ReportsACosineExactlyAtTheMinimum) {
  SetWorld world;
  world.add({{1, 3.0F}, {2, 4.0F}});
  world.add({{1, 3.0F}, {3, 4.0F}});
  world.add({{1, 6.0F}, {2, 8.0F}, {7, 0.0F}});
  EXPECT_EQ(join_sets(world, {OverlapMeasure::kCosine, 9.0 / 25}).pairs, (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(join_sets(world, {OverlapMeasure::kCosine, 1}).pairs, (Pairs{{0, 2}}));
}

TEST(SetOverlapJoin, CollapsesEqualSets) {
  SetWorld world;
  for (int i = 0; i < 3; ++i) world.add({{1, 1.0F}, {2, 1.0F}, {3, 1.0F}});
  world.add({});
  world.add({});
  world.add({{1, 1.0F}, {2, 1.0F}, {4, 2.0F}});
  const OverlapAnswer answer = join_sets(world, {OverlapMeasure::kJaccard, 0.5});
  EXPECT_EQ(answer.equal, (std::vector<std::vector<std::uint32_t>>{{0, 1, 2}}));
  EXPECT_EQ(answer.pairs, (Pairs{{0, 5}}));
  EXPECT_EQ(answer.statistics.distinct_sets, 2U);
}

// An element that every set has must not bring every pair together.
TEST(SetOverlapJoin, IsNotQuadraticInFrequentElements) {
  SetWorld world;
  std::mt19937_64 random(1);
  constexpr std::uint32_t kSets = 3000;
  for (std::uint32_t i = 0; i < kSets; ++i) {
    std::map<std::uint64_t, float> set;
    for (std::uint64_t frequent = 0; frequent < 10; ++frequent) set[frequent] = 1;
    for (int rare = 0; rare < 40; ++rare) set[1000 + random() % 20000] = 1;
    world.add(set);
  }
  constexpr std::uint64_t kAllPairs = std::uint64_t{kSets} * (kSets - 1) / 2;
  for (const OverlapMeasure measure : kMeasures) {
    const OverlapAnswer answer = join_sets(world, {measure, 0.5});
    EXPECT_LT(answer.statistics.comparisons, kAllPairs / 20) << static_cast<int>(measure);
    EXPECT_LT(answer.statistics.postings_read, kAllPairs / 10) << static_cast<int>(measure);
  }
}

TEST(SetOverlapJoin, CountsPostingsSkippedByTheCap) {
  SetWorld world;
  constexpr std::uint32_t kSets = 500;
  for (std::uint64_t i = 0; i < kSets; ++i) {
    std::map<std::uint64_t, float> set{{10000 + i, 1.0F}};
    for (std::uint64_t common = 0; common < 20; ++common) set[common] = 1;
    world.add(set);
  }
  const OverlapAnswer exact = join_sets(world, {OverlapMeasure::kJaccard, 0.9});
  EXPECT_EQ(exact.pairs.size(), kSets * (kSets - 1) / 2);
  const OverlapAnswer capped = join_sets(world, {OverlapMeasure::kJaccard, 0.9, 10});
  EXPECT_GT(capped.statistics.postings_not_read, 0U);
  EXPECT_LE(capped.pairs.size(), std::size_t{10} * kSets);
  for (std::uint32_t i = 1; i < kSets; ++i) EXPECT_TRUE(capped.pairs.contains({i - 1, i}));
  EXPECT_TRUE(std::includes(exact.pairs.begin(), exact.pairs.end(), capped.pairs.begin(), capped.pairs.end()));
}

TEST(SetOverlapJoin, ReportsNothingForEmptyInput) {
  EXPECT_TRUE(join_sets({}, {}).pairs.empty());
  SetWorld world;
  world.add({});
  EXPECT_EQ(join_sets(world, {OverlapMeasure::kCosine, 0.5}).statistics.distinct_sets, 0U);
}

TEST(SetOverlapJoin, RejectsInvalidInput) {
  const auto error_of = [](const SetWorld& world, const SetOverlapOptions& options, bool with_weights = true) {
    const Views views(world);
    SetCollection sets = views.collection();
    if (!with_weights) sets.weights = {};
    const auto joined = set_overlap_join(
        sets, options, [](auto, auto) { FAIL(); }, [](auto) { FAIL(); });
    return joined.has_value() ? std::string() : joined.error().message;
  };
  SetWorld good;
  good.add({{1, 1.0F}});
  EXPECT_EQ(error_of(good, {}), "");
  EXPECT_NE(error_of(good, {OverlapMeasure::kJaccard, 0}), "");
  EXPECT_NE(error_of(good, {OverlapMeasure::kJaccard, 1.01}), "");
  EXPECT_NE(error_of(good, {OverlapMeasure::kJaccard, std::nan("")}), "");
  EXPECT_NE(error_of(good, {OverlapMeasure::kCosine, 0.5}, false), "");
  EXPECT_EQ(error_of(good, {OverlapMeasure::kJaccard, 0.5}, false), "");
  SetWorld repeated = good;
  repeated.values[0] = {1, 1};
  repeated.weights[0] = {1, 1};
  EXPECT_NE(error_of(repeated, {}), "");
  for (const float weight : {-1.0F, std::numeric_limits<float>::infinity(), std::nanf("")}) {
    SetWorld bad = good;
    bad.weights[0] = {weight};
    EXPECT_NE(error_of(bad, {OverlapMeasure::kCosine, 0.5}), "");
  }
}

}  // namespace
}  // namespace paraprint
