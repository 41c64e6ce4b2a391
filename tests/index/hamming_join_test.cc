// The oracle compares every pair of fingerprints.
#include "index/hamming_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "base/union_find.h"
#include "index/hamming_kernel.h"

namespace paraprint {
namespace {

using Pair = std::tuple<std::uint32_t, std::uint32_t, int>;

int join_distance(std::uint64_t a, std::uint64_t b) {
  return std::popcount(a ^ b);
}
int join_distance(const Fingerprint128& a, const Fingerprint128& b) {
  return std::popcount(a.high ^ b.high) + std::popcount(a.low ^ b.low);
}

auto join(std::span<const std::uint64_t> values, const HammingJoinOptions& options, const HammingPairCallback& on_pair,
          const EqualGroupCallback& on_equal) {
  return hamming_join_64(values, options, on_pair, on_equal);
}
auto join(std::span<const Fingerprint128> values, const HammingJoinOptions& options, const HammingPairCallback& on_pair,
          const EqualGroupCallback& on_equal) {
  return hamming_join_128(values, options, on_pair, on_equal);
}

template <class Value>
struct JoinAnswer {
  std::vector<Pair> pairs;
  std::vector<std::vector<std::uint32_t>> groups;
  HammingJoinStatistics statistics;
};

template <class Value>
JoinAnswer<Value> run(const std::vector<Value>& values, const HammingJoinOptions& options) {
  JoinAnswer<Value> answer;
  auto result = join(
      std::span<const Value>(values), options,
      [&](std::uint32_t i, std::uint32_t j, int bits) { answer.pairs.emplace_back(i, j, bits); },
      [&](std::span<const std::uint32_t> indices) { answer.groups.emplace_back(indices.begin(), indices.end()); });
  EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
  if (result) answer.statistics = *result;
  std::sort(answer.pairs.begin(), answer.pairs.end());
  return answer;
}

template <class Value>
JoinAnswer<Value> brute_force(const std::vector<Value>& values, int distance_bits) {
  JoinAnswer<Value> answer;
  std::map<Value, std::vector<std::uint32_t>> groups;
  for (std::uint32_t i = 0; i < values.size(); ++i) groups[values[i]].push_back(i);
  std::vector<std::uint32_t> firsts;
  for (const auto& [value, indices] : groups) {
    firsts.push_back(indices.front());
    if (indices.size() > 1) answer.groups.push_back(indices);
  }
  std::sort(firsts.begin(), firsts.end());
  std::sort(answer.groups.begin(), answer.groups.end());
  for (std::size_t a = 0; a < firsts.size(); ++a) {
    for (std::size_t b = a + 1; b < firsts.size(); ++b) {
      const int bits = join_distance(values[firsts[a]], values[firsts[b]]);
      if (bits <= distance_bits) answer.pairs.emplace_back(firsts[a], firsts[b], bits);
    }
  }
  return answer;
}

template <class Value>
void flip(Value& value, int bit);
template <>
void flip(std::uint64_t& value, int bit) {
  value ^= std::uint64_t{1} << (bit % 64);
}
template <>
void flip(Fingerprint128& value, int bit) {
  (bit % 128 < 64 ? value.high : value.low) ^= std::uint64_t{1} << (bit % 64);
}

void draw(std::mt19937_64& random, std::uint64_t& value) {
  value = random();
}
void draw(std::mt19937_64& random, Fingerprint128& value) {
  value = {random(), random()};
}

// Random values, copies and near copies. With few `centres`, buckets of most tables are large.
template <class Value>
std::vector<Value> small_world(std::uint64_t seed, std::size_t count, std::size_t centres, int most_flips) {
  std::mt19937_64 random(seed);
  std::vector<Value> centre_values(centres);
  for (Value& value : centre_values) draw(random, value);
  std::vector<Value> values(count);
  for (Value& value : values) {
    value = centre_values[random() % centres];
    for (int flips = static_cast<int>(random() % (most_flips + 1)); flips > 0; --flips)
      flip(value, static_cast<int>(random() % 128));
  }
  return values;
}

template <class Value>
void expect_exact(const std::vector<Value>& values, const HammingJoinOptions& options) {
  const auto expected = brute_force(values, options.distance_bits);
  const auto found = run(values, options);
  EXPECT_EQ(found.pairs, expected.pairs) << "k=" << options.distance_bits << " blocks=" << options.block_count;
  EXPECT_EQ(found.groups, expected.groups);
  EXPECT_EQ(found.statistics.pairs, expected.pairs.size());
  EXPECT_EQ(found.statistics.equal_groups, expected.groups.size());
  EXPECT_EQ(found.statistics.comparisons_not_made, 0U);
}

TEST(HammingJoin, FindsEveryPairOf64BitsOnce) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const int k : {0, 1, 2, 3, 4, 6}) {
      expect_exact(small_world<std::uint64_t>(seed, 600, 40, 8), {k});
      expect_exact(small_world<std::uint64_t>(seed + 100, 300, 1, 12), {k});
    }
  }
}

TEST(HammingJoin, FindsEveryPairOf128BitsOnce) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const int k : {0, 1, 3, 6, 8, 12, 16}) {
      expect_exact(small_world<Fingerprint128>(seed, 500, 30, 20), {k});
      expect_exact(small_world<Fingerprint128>(seed + 100, 200, 1, 24), {k});
    }
  }
}

TEST(HammingJoin, ResultIsIndependentOfTheBlockCount) {
  const auto values = small_world<std::uint64_t>(7, 800, 60, 7);
  for (int blocks = 4; blocks <= 10; ++blocks) expect_exact(values, {3, 0, blocks});
  const auto wide = small_world<Fingerprint128>(7, 400, 30, 16);
  for (int blocks = 7; blocks <= 10; ++blocks) expect_exact(wide, {6, 0, blocks});
}

// Blocks in which all values agree, completely or up to few bits.
TEST(HammingJoin, FindsEveryPairWhenWholeBlocksAgree) {
  std::mt19937_64 random(11);
  for (const std::uint64_t frozen :
       {0xFFFF000000000000ULL, 0xFFFFFFFFFFFF0000ULL, 0x0000FFFFFFFFFFFFULL, 0xAAAAAAAAAAAAAAAAULL}) {
    std::vector<std::uint64_t> values(700);
    for (std::uint64_t& value : values) value = random() & ~frozen;
    for (std::size_t i = 0; i < values.size(); i += 3)
      values[i] = values[(i + 1) % values.size()] ^ (random() & ~frozen & random() & random() & random());
    for (const int k : {1, 3, 5}) expect_exact(values, {k});
  }
}

// As many values as threads are started for. The statistics are sums over the tables, so they are equal, too.
TEST(HammingJoin, FindsTheSamePairsOnThreads) {
  const auto values = small_world<Fingerprint128>(5, 6000, 2000, 14);
  HammingJoinOptions options{6, 64};
  const auto expected = run(values, options);
  EXPECT_GT(expected.pairs.size(), 1000U);
  for (const unsigned threads : {2U, 3U}) {
    options.threads = threads;
    const auto found = run(values, options);
    EXPECT_EQ(found.pairs, expected.pairs);
    EXPECT_EQ(found.statistics.pairs, expected.statistics.pairs);
    EXPECT_EQ(found.statistics.comparisons, expected.statistics.comparisons);
    EXPECT_EQ(found.statistics.buckets_over_cap, expected.statistics.buckets_over_cap);
    EXPECT_EQ(found.statistics.comparisons_not_made, expected.statistics.comparisons_not_made);
  }
}

// Enough values in one bucket to split it by its remaining bits, twice.
TEST(HammingJoin, FindsEveryPairInSplitBuckets) {
  std::mt19937_64 random(12);
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 9000; ++i) values.push_back(0x1234567800000000ULL | (random() & 0xFFFFFF));
  for (int i = 0; i < 500; ++i) values.push_back(random());
  expect_exact(values, {2});
  std::vector<Fingerprint128> wide;
  for (const std::uint64_t value : values) wide.push_back({value, 77});
  expect_exact(wide, {2});
}

// Sizes around the rows and lanes of the kernel, with several reaches and portions of rows: every close pair once.
TEST(HammingKernel, EqualsTheDefinitionForEverySize) {
  std::mt19937_64 random(9);
  for (std::size_t size = 0; size < 90; ++size) {
    std::vector<std::uint32_t> checks(size + kBucketPadding);
    for (std::uint32_t& check : checks) check = static_cast<std::uint32_t>(random() & random() & random() & random());
    for (const std::size_t reach : {std::size_t{1}, std::size_t{5}, size}) {
      std::set<std::pair<std::uint32_t, std::uint32_t>> expected;
      for (std::uint32_t i = 0; i < size; ++i) {
        for (std::uint32_t j = i + 1; j < size && j <= i + reach; ++j) {
          if (std::popcount(checks[i] ^ checks[j]) <= 3) expected.emplace(i, j);
        }
      }
      for (const std::size_t step : {std::size_t{3}, std::size_t{8}, std::size_t{200}}) {
        std::vector<BucketPair> pairs;
        for (std::size_t row = 0; row < size; row += step) {
          find_close_pairs(BucketRows<std::uint32_t>{checks.data(), size, row, std::min(size, row + step), reach}, 3,
                           pairs);
        }
        std::set<std::pair<std::uint32_t, std::uint32_t>> found;
        for (const BucketPair& pair : pairs) found.emplace(pair.first, pair.second);
        EXPECT_EQ(found, expected) << size << " " << reach << " " << step;
        EXPECT_EQ(found.size(), pairs.size());
      }
    }
  }
}

// With or without a cap, the pairs are the same if tables are in files and their pages are evicted all the time.
TEST(HammingJoin, FindsTheSamePairsOnDisk) {
  auto values = small_world<Fingerprint128>(7, 40'000, 30, 12);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::shuffle(values.begin(), values.end(), std::mt19937_64(7));
  for (const std::uint32_t cap : {0U, 8U}) {
    std::vector<std::vector<Pair>> found;
    for (const bool is_short_of_memory : {false, true}) {
      std::uint64_t resident = 0;  // grows at every check
      MemoryBudget budget(1 << 20, ::testing::TempDir(),
                          [&] { return is_short_of_memory ? resident += std::uint64_t{1} << 40 : 0; });
      HammingJoinOptions options;
      options.distance_bits = 3;
      options.bucket_cap = cap;
      options.all_different = true;
      options.budget = &budget;
      std::vector<Pair>& pairs = found.emplace_back();
      const auto statistics = hamming_join_128(
          values, options, [&](std::uint32_t i, std::uint32_t j, int bits) { pairs.emplace_back(i, j, bits); },
          [](std::span<const std::uint32_t>) { FAIL() << "values differ"; });
      ASSERT_TRUE(statistics.has_value());
      EXPECT_EQ(budget.bytes_spilled() > 0, is_short_of_memory);
    }
    EXPECT_FALSE(found[0].empty());
    EXPECT_EQ(found[0], found[1]);
  }
}

TEST(HammingJoin, WiderDistanceFindsAtLeastAsManyPairs) {
  const auto values = small_world<Fingerprint128>(3, 500, 20, 20);
  std::set<Pair> narrower;
  for (int k = 1; k <= 20; ++k) {
    const auto found = run(values, {k});
    const std::set<Pair> pairs(found.pairs.begin(), found.pairs.end());
    EXPECT_TRUE(std::includes(pairs.begin(), pairs.end(), narrower.begin(), narrower.end())) << k;
    narrower = pairs;
  }
}

// Up to 3 flipped bits are found, 4 are not.
TEST(HammingJoin, FindsPairsUpToKBitsAndNoMore) {
  std::mt19937_64 random(5);
  for (int flips = 1; flips <= 4; ++flips) {
    for (int trial = 0; trial < 200; ++trial) {
      const std::uint64_t value = random();
      std::set<int> bits;
      while (static_cast<int>(bits.size()) < flips) bits.insert(static_cast<int>(random() % 64));
      std::uint64_t other = value;
      for (const int bit : bits) flip(other, bit);
      const auto found = run(std::vector<std::uint64_t>{value, other}, {3});
      ASSERT_EQ(found.pairs.size(), flips <= 3 ? 1U : 0U);
    }
  }
}

TEST(HammingJoin, IsLinearForEqualValues) {
  const std::vector<std::uint64_t> values(200000, 42);
  const auto found = run(values, {3});
  ASSERT_EQ(found.groups.size(), 1U);
  EXPECT_EQ(found.groups[0].size(), values.size());
  EXPECT_EQ(found.statistics.distinct_values, 1U);
  EXPECT_EQ(found.statistics.comparisons, 0U);
}

TEST(HammingJoin, CountsComparisonsSkippedByTheCap) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < 1000; ++i) values.push_back(i);
  const auto exact = run(values, {3});
  const auto capped = run(values, {3, 10});
  EXPECT_GT(capped.statistics.buckets_over_cap, 0U);
  EXPECT_GT(capped.statistics.comparisons_not_made, 0U);
  EXPECT_EQ(exact.statistics.comparisons, capped.statistics.comparisons + capped.statistics.comparisons_not_made);
  EXPECT_LT(capped.pairs.size(), exact.pairs.size());
  EXPECT_TRUE(std::includes(exact.pairs.begin(), exact.pairs.end(), capped.pairs.begin(), capped.pairs.end()));
}

// 30,000 near copies of one value among others: linear under a cap and still connected; the others are found exactly.
TEST(HammingJoin, StaysLinearAndConnectedInDenseBuckets) {
  std::mt19937_64 random(4);
  std::vector<Fingerprint128> values;
  for (int i = 0; i < 30000; ++i) {
    Fingerprint128 value{77, 99};
    for (int flips = 0; flips < 3; ++flips) flip(value, static_cast<int>(random() % 128));
    values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const std::size_t dense = values.size();
  for (int i = 0; i < 1000; ++i) {
    Fingerprint128 value{random(), random()};
    values.push_back(value);
    flip(value, i);
    values.push_back(value);
  }
  const auto found = run(values, {6, 1024});
  EXPECT_GT(found.statistics.buckets_over_cap, 0U);
  EXPECT_GT(found.statistics.comparisons_not_made, 0U);
  EXPECT_LT(found.pairs.size(), dense * 7 * 64);
  std::vector<std::uint32_t> roots(values.size());
  UnionFind<std::uint32_t> connected(roots);
  for (const auto& [i, j, bits] : found.pairs) connected.join(i, j);
  connected.flatten();
  for (std::size_t i = 0; i < dense; ++i) ASSERT_EQ(roots[i], roots[0]);
  for (std::size_t i = dense; i < values.size(); i += 2) EXPECT_EQ(roots[i], roots[i + 1]);
}

// Fingerprints that agree in 96 bits and differ at random in the others: every table of every level has most of them in
// one bucket, and hardly any are close.
TEST(HammingJoin, StaysLinearInBucketsThatCannotBeSplit) {
  constexpr std::uint32_t kCap = 64;
  std::mt19937_64 random(6);
  std::vector<Fingerprint128> values;
  for (int i = 0; i < 9000; ++i) values.push_back({77, random() & 0xFFFFFFFF});
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const auto found = run(values, {6, kCap});
  EXPECT_GT(found.statistics.comparisons_not_made, 0U);
  // Two levels of tables; those whose blocks are among the bits that differ have small buckets.
  const std::uint64_t tables = 7 * 7;
  EXPECT_LT(found.statistics.comparisons, values.size() * tables * kCap * 2);
}

TEST(HammingJoin, AcceptsSmallInputsAndRejectsInvalidOptions) {
  EXPECT_TRUE(run(std::vector<std::uint64_t>{}, {3}).pairs.empty());
  EXPECT_TRUE(run(std::vector<std::uint64_t>{1}, {3}).pairs.empty());
  EXPECT_EQ(run(std::vector<std::uint64_t>{1, 0}, {3}).pairs, (std::vector<Pair>{{0, 1, 1}}));
  const std::vector<std::uint64_t> values{1, 2};
  for (const HammingJoinOptions& options :
       {HammingJoinOptions{-1}, HammingJoinOptions{32}, HammingJoinOptions{3, 0, 3}, HammingJoinOptions{3, 0, 40}}) {
    const auto result = hamming_join_64(
        values, options, [](auto, auto, auto) {}, [](auto) {});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace paraprint
