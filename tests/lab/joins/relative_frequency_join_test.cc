#include "lab/joins/relative_frequency_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

namespace paraprint {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
using Set = std::map<std::uint64_t, float>;

struct World {
  std::vector<std::vector<std::uint64_t>> values;
  std::vector<std::vector<float>> weights;

  void add(const Set& elements) {
    values.emplace_back();
    weights.emplace_back();
    for (const auto& [value, weight] : elements) {
      values.back().push_back(value);
      weights.back().push_back(weight);
    }
  }
};

struct FrequencyAnswer {
  Pairs pairs;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
  RelativeFrequencyStatistics statistics;
};

FrequencyAnswer join(const World& world, const RelativeFrequencyOptions& options) {
  const std::vector<std::span<const std::uint64_t>> values(world.values.begin(), world.values.end());
  const std::vector<std::span<const float>> weights(world.weights.begin(), world.weights.end());
  std::map<std::uint32_t, std::vector<std::uint32_t>> group_of;
  FrequencyAnswer answer;
  const auto joined = relative_frequency_join(
      {values, weights}, options,
      [&](std::uint32_t a, std::uint32_t b) {
        EXPECT_LT(a, b);
        answer.order.emplace_back(a, b);
      },
      [&](std::span<const std::uint32_t> indices) {
        EXPECT_TRUE(answer.order.empty()) << "equal sets come first";
        group_of[indices.front()].assign(indices.begin(), indices.end());
      });
  EXPECT_TRUE(joined.has_value());
  if (joined) answer.statistics = *joined;
  // Expands groups of equal sets to pairs, each once.
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    EXPECT_TRUE(answer.pairs.emplace(std::min(a, b), std::max(a, b)).second) << a << ' ' << b << " twice";
  };
  const auto members = [&](std::uint32_t set) {
    const auto found = group_of.find(set);
    return found == group_of.end() ? std::vector<std::uint32_t>{set} : found->second;
  };
  for (const auto& [first, group] : group_of) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) add(group[i], group[j]);
    }
  }
  for (const auto& [a, b] : answer.order) {
    for (const std::uint32_t member_a : members(a)) {
      for (const std::uint32_t member_b : members(b)) add(member_a, member_b);
    }
  }
  return answer;
}

// The definition: close products over the smaller squared norm.
double similarity(const World& world, std::size_t a, std::size_t b, double limit) {
  double close = 0;
  double square_a = 0;
  double square_b = 0;
  for (std::size_t i = 0; i < world.values[a].size(); ++i) {
    const double weight_a = world.weights[a][i];
    square_a += weight_a * weight_a;
    const auto found = std::lower_bound(world.values[b].begin(), world.values[b].end(), world.values[a][i]);
    if (found == world.values[b].end() || *found != world.values[a][i]) continue;
    const double weight_b = world.weights[b][static_cast<std::size_t>(found - world.values[b].begin())];
    const bool is_close = weight_a > 0 && weight_b > 0 && weight_a / weight_b + weight_b / weight_a < limit;
    if (is_close) close += weight_a * weight_b;
  }
  for (const double weight : world.weights[b]) square_b += weight * weight;
  const double smaller = std::min(square_a, square_b);
  return smaller > 0 ? close / smaller : 0;
}

// Sets of words like those of pages: small numbers are frequent words with large counts. Two thirds are derived from
// earlier sets, slightly changed or reduced to a part.
World random_world(std::uint64_t seed, std::size_t set_count, std::uint64_t words, std::size_t largest) {
  std::mt19937_64 random(seed);
  const auto word = [&] {
    const double uniform = std::uniform_real_distribution<double>(0, 1)(random);
    return static_cast<std::uint64_t>(std::pow(static_cast<double>(words), uniform));
  };
  const auto count = [&](std::uint64_t of_word) {
    return static_cast<float>(random() % 7 == 0 ? random() % 3 : 1 + random() % (1 + 20 / of_word));
  };
  std::vector<Set> sets;
  for (std::size_t i = 0; i < set_count; ++i) {
    Set set;
    if (i > 0 && random() % 3 != 0) {
      set = sets[random() % i];
      if (random() % 3 == 0) std::erase_if(set, [&](const auto&) { return random() % 2 == 0; });
      for (std::uint64_t edits = random() % 6; edits > 0 && !set.empty(); --edits) {
        if (random() % 2 == 0) set.erase(std::next(set.begin(), static_cast<std::ptrdiff_t>(random() % set.size())));
        const std::uint64_t changed = word();
        if (random() % 2 == 0) set[changed] = count(changed);
      }
    } else {
      for (std::uint64_t size = random() % (largest + 1); size > 0; --size) {
        const std::uint64_t added = word();
        set[added] = count(added);
      }
    }
    sets.push_back(std::move(set));
  }
  World world;
  for (const Set& set : sets) world.add(set);
  return world;
}

bool has_weight(const World& world, std::size_t set) {
  return std::any_of(world.weights[set].begin(), world.weights[set].end(), [](float weight) { return weight > 0; });
}

TEST(RelativeFrequencyJoin, EqualsTheDefinition) {
  std::size_t pairs_seen = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const World world = random_world(seed, 100, seed % 2 == 0 ? 30 : 1000, seed % 3 == 0 ? 6 : 40);
    for (const double limit : {2.001, 2.5, 4.0, 100.0}) {
      for (const double minimum : {0.05, 0.3, 0.6, 0.8, 1.0}) {
        const FrequencyAnswer answer = join(world, {limit, minimum});
        pairs_seen += answer.pairs.size();
        for (std::uint32_t b = 0; b < world.values.size(); ++b) {
          for (std::uint32_t a = 0; a < b; ++a) {
            if (!has_weight(world, a) && !has_weight(world, b)) continue;  // the join may treat them as equal
            const double value = similarity(world, a, b, limit);
            ASSERT_EQ(answer.pairs.contains({a, b}), value >= minimum)
                << "seed " << seed << ", limit " << limit << ", minimum " << minimum << ": " << a << ' ' << b
                << " have " << value;
          }
        }
        EXPECT_EQ(answer.statistics.postings_not_read, 0U);
        EXPECT_EQ(answer.statistics.pairs, answer.order.size());
      }
    }
  }
  EXPECT_GT(pairs_seen, 10000U);
}

TEST(RelativeFrequencyJoin, ResultIsIndependentOfTheThreadCount) {
  const World world = random_world(7, 1000, 300, 30);
  const FrequencyAnswer one = join(world, {.similarity_minimum = 0.6});
  const FrequencyAnswer three = join(world, {.similarity_minimum = 0.6, .threads = 3});
  EXPECT_EQ(one.order, three.order);
  EXPECT_EQ(one.statistics.postings_read, three.statistics.postings_read);
  EXPECT_EQ(one.statistics.comparisons, three.statistics.comparisons);
}

// Words that all sets have once need not be indexed: they must not bring every pair together.
TEST(RelativeFrequencyJoin, DoesNotIndexFrequentWords) {
  World world;
  std::mt19937_64 random(1);
  constexpr std::uint32_t kSets = 2000;
  for (std::uint32_t i = 0; i < kSets; ++i) {
    Set set;
    for (std::uint64_t frequent = 0; frequent < 10; ++frequent) set[frequent] = 1;
    for (int rare = 0; rare < 40; ++rare) set[1000 + random() % 20000] = 1;
    world.add(set);
  }
  const FrequencyAnswer answer = join(world, {.similarity_minimum = 0.6});
  constexpr std::uint64_t kAllPairs = std::uint64_t{kSets} * (kSets - 1) / 2;
  EXPECT_LT(answer.statistics.postings_read, kAllPairs / 5);
  EXPECT_LT(answer.statistics.comparisons, kAllPairs / 100);
}

// A word of count 1 is close to no other count, so sets of count 2 are never read for it.
TEST(RelativeFrequencyJoin, ReadsOnlyCloseCounts) {
  World world;
  for (std::uint64_t i = 0; i < 100; ++i) world.add({{1, i % 2 == 0 ? 1.0F : 2.0F}, {100 + i, 0.1F}});
  const FrequencyAnswer answer = join(world, {.similarity_minimum = 0.9});
  EXPECT_EQ(answer.pairs.size(), 2U * (50 * 49 / 2));
  EXPECT_EQ(answer.statistics.postings_read, answer.pairs.size());
}

TEST(RelativeFrequencyJoin, CountsPostingsSkippedByTheCap) {
  World world;
  constexpr std::uint32_t kSets = 300;
  for (std::uint64_t i = 0; i < kSets; ++i) {
    Set set{{10000 + i, 1.0F}};
    for (std::uint64_t common = 0; common < 20; ++common) set[common] = 2;
    world.add(set);
  }
  const FrequencyAnswer exact = join(world, {.similarity_minimum = 0.9});
  EXPECT_EQ(exact.pairs.size(), kSets * (kSets - 1) / 2);
  const FrequencyAnswer capped = join(world, {.similarity_minimum = 0.9, .posting_cap = 10});
  EXPECT_GT(capped.statistics.postings_not_read, 0U);
  EXPECT_LE(capped.pairs.size(), std::size_t{10} * kSets);
  EXPECT_GE(capped.pairs.size(), kSets - 1);
  EXPECT_TRUE(std::includes(exact.pairs.begin(), exact.pairs.end(), capped.pairs.begin(), capped.pairs.end()));
}

TEST(RelativeFrequencyJoin, RejectsInvalidInput) {
  const auto is_refused = [](const World& world, const RelativeFrequencyOptions& options, bool with_weights = true) {
    const std::vector<std::span<const std::uint64_t>> values(world.values.begin(), world.values.end());
    const std::vector<std::span<const float>> weights(world.weights.begin(), world.weights.end());
    const auto joined = relative_frequency_join(
        {values, with_weights ? std::span(weights) : std::span<const std::span<const float>>{}}, options,
        [](std::uint32_t, std::uint32_t) {}, [](std::span<const std::uint32_t>) {});
    return !joined && joined.error().code == ErrorCode::kInvalidArgument;
  };
  World world;
  world.add({{1, 1.0F}, {2, 1.0F}});
  EXPECT_FALSE(is_refused(world, {}));
  EXPECT_TRUE(is_refused(world, {}, false));
  EXPECT_TRUE(is_refused(world, {.similarity_minimum = 0}));
  EXPECT_TRUE(is_refused(world, {.similarity_minimum = 1.5}));
  EXPECT_TRUE(is_refused(world, {.closeness_limit = 2}));
  world.values.front() = {2, 1};
  EXPECT_TRUE(is_refused(world, {}));
}

}  // namespace
}  // namespace paraprint
