// Sorted and compressed tables. The oracle compares every fingerprint with the query.
#include "index/hamming_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "index/compressed_hamming_tables.h"

namespace paraprint {
namespace {

int table_distance(std::uint64_t a, std::uint64_t b) {
  return std::popcount(a ^ b);
}
int table_distance(const Fingerprint128& a, const Fingerprint128& b) {
  return std::popcount(a.high ^ b.high) + std::popcount(a.low ^ b.low);
}
void draw_fingerprint(std::mt19937_64& random, std::uint64_t& value) {
  value = random();
}
void draw_fingerprint(std::mt19937_64& random, Fingerprint128& value) {
  value = {random(), random()};
}
void flip(std::uint64_t& value, int bit) {
  value ^= std::uint64_t{1} << bit;
}
void flip(Fingerprint128& value, int bit) {
  flip(bit < 64 ? value.high : value.low, bit % 64);
}

// Flips `count` different bits.
template <class Value>
Value flipped(std::mt19937_64& random, Value value, int count) {
  std::vector<int> bits(sizeof(Value) * 8);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<int>(i);
  std::shuffle(bits.begin(), bits.end(), random);
  for (int i = 0; i < count; ++i) flip(value, bits[static_cast<std::size_t>(i)]);
  return value;
}

// Near copies of `centres` random values. With few centres, runs are long.
template <class Value>
std::vector<Value> small_world(std::mt19937_64& random, std::size_t count, std::size_t centres, int most_flips) {
  std::vector<Value> centre_values(centres);
  for (Value& value : centre_values) draw_fingerprint(random, value);
  std::vector<Value> values;
  for (std::size_t i = 0; i < count; ++i) {
    const auto flips = static_cast<int>(random() % static_cast<std::uint64_t>(most_flips + 1));
    values.push_back(flipped(random, centre_values[random() % centres], flips));
  }
  return values;
}

template <class Value>
std::vector<HammingHit> brute_force(const std::vector<Value>& values, const Value& query, int distance_bits) {
  std::vector<HammingHit> hits;
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    const int bits = table_distance(values[i], query);
    if (bits <= distance_bits) hits.push_back({i, bits});
  }
  return hits;
}

template <class Value>
void expect_exact(const std::vector<Value>& values, const HammingDesign& design, std::mt19937_64& random) {
  const auto tables = HammingTables<Value>::build(std::span<const Value>(values), design);
  ASSERT_TRUE(tables.has_value()) << tables.error().message;
  const auto compressed = CompressedHammingTables<Value>::build(std::span<const Value>(values), design);
  ASSERT_TRUE(compressed.has_value()) << compressed.error().message;
  EXPECT_EQ(compressed->table_count(), tables->table_count());
  std::vector<HammingHit> hits;
  for (int query = 0; query < 60; ++query) {
    Value value{};
    draw_fingerprint(random, value);
    if (!values.empty() && query % 6 != 0) {
      value = flipped(random, values[random() % values.size()], static_cast<int>(random() % 8));
    }
    const std::vector<HammingHit> expected = brute_force(values, value, design.distance_bits);
    tables->find(value, hits);
    EXPECT_EQ(hits, expected) << "k=" << design.distance_bits;
    compressed->find(value, hits);
    EXPECT_EQ(hits, expected) << "compressed, k=" << design.distance_bits;
  }
}

const std::vector<std::vector<int>> kClassicDesigns = {{4}, {5}, {4, 4}, {6}};

TEST(HammingDesign, HasThePublishedShapes) {
  struct Case {
    int bits;
    HammingDesign design;
    HammingDesignShape shape;
  };
  const Case cases[] = {
      {64, {3, {4}}, {4, 16, 16}},   {64, {3, {5}}, {10, 25, 26}},   {64, {3, {4, 4}}, {16, 28, 28}},
      {64, {3, {6}}, {20, 31, 33}},  {128, {3, {4}}, {4, 32, 32}},   {128, {6, {7}}, {7, 18, 19}},
      {128, {6, {8}}, {28, 32, 32}}, {128, {12, {13}}, {13, 9, 10}}, {128, {12, {14}}, {91, 18, 20}},
      {64, {0, {1}}, {1, 64, 64}},
  };
  for (const Case& c : cases) {
    const auto shape = shape_of(c.design, c.bits);
    ASSERT_TRUE(shape.has_value()) << shape.error().message;
    EXPECT_EQ(shape->tables, c.shape.tables);
    EXPECT_EQ(shape->key_bits_minimum, c.shape.key_bits_minimum);
    EXPECT_EQ(shape->key_bits_maximum, c.shape.key_bits_maximum);
  }
}

TEST(HammingDesign, IsChosenForShortRuns) {
  for (const int bits : {64, 128}) {
    for (int k = 0; k <= 12; ++k) {
      if (bits == 64 && k > 6) continue;
      std::size_t tables_before = 0;
      for (const double count : {1e3, 1e6, 1e9, 1.7e10}) {
        const auto design = choose_hamming_design(bits, k, count);
        ASSERT_TRUE(design.has_value());
        const auto shape = shape_of(*design, bits);
        ASSERT_TRUE(shape.has_value()) << shape.error().message << " bits=" << bits << " k=" << k;
        EXPECT_GE(shape->tables, tables_before);  // more fingerprints need longer keys and thus more tables
        tables_before = shape->tables;
      }
    }
  }
  // 2^34 fingerprints of 64 bits within 3 bits: at most the published tables, with runs as short.
  const auto design = choose_hamming_design(64, 3, std::exp2(34));
  const auto shape = shape_of(*design, 64);
  EXPECT_LE(shape->tables, 20U);
  EXPECT_GE(shape->key_bits_minimum, 28);
  EXPECT_EQ(choose_hamming_design(64, 0, 1000)->block_counts, (std::vector<int>{1}));
}

TEST(HammingDesign, RejectsInvalidDesigns) {
  const std::pair<int, HammingDesign> cases[] = {
      {64, {3, {}}},            // no level
      {64, {3, {3}}},           // k blocks: none would be chosen
      {64, {3, {65}}},          // more blocks than bits
      {64, {3, {4, 49}}},       // more blocks than the first level leaves
      {64, {-1, {4}}},          // negative distance
      {64, {32, {33}}},         // half of the bits
      {64, {3, {20}}},          // 1140 tables
      {64, {3, {4, 4, 4, 4}}},  // valid: exactly the limit of 256 tables
      {64, {3, {4, 4, 4, 5}}}, {64, {3, {4, 4, 4, 4, 4}}},
  };
  for (const auto& [bits, design] : cases) {
    if (design.block_counts == std::vector<int>{4, 4, 4, 4}) {
      EXPECT_TRUE(shape_of(design, bits).has_value());
      continue;
    }
    const auto shape = shape_of(design, bits);
    ASSERT_FALSE(shape.has_value());
    EXPECT_EQ(shape.error().code, ErrorCode::kInvalidArgument);
    const std::vector<std::uint64_t> values = {1};
    EXPECT_FALSE(HammingTables<std::uint64_t>::build(values, design).has_value());
    EXPECT_FALSE(CompressedHammingTables<std::uint64_t>::build(values, design).has_value());
  }
  EXPECT_FALSE(choose_hamming_design(64, 32, 1000).has_value());
}

// For random values, 0 to 3 flipped bits are found by every design, 4 by none.
TEST(HammingTables, FindUpToThreeFlippedBitsButNotFour) {
  std::mt19937_64 random(15);
  std::vector<std::uint64_t> values(2000);
  for (std::uint64_t& value : values) value = random();
  for (const std::vector<int>& block_counts : kClassicDesigns) {
    const auto tables = HammingTables<std::uint64_t>::build(values, {3, block_counts});
    ASSERT_TRUE(tables.has_value());
    std::vector<HammingHit> hits;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      const int flips = static_cast<int>(i % 5);
      tables->find(flipped(random, values[i], flips), hits);
      if (flips == 4) {
        EXPECT_TRUE(hits.empty());
      } else {
        ASSERT_EQ(hits.size(), 1U);
        EXPECT_EQ(hits[0], (HammingHit{i, flips}));
      }
    }
  }
}

TEST(HammingTables, AreExactOver64Bits) {
  std::mt19937_64 random(64);
  for (const std::size_t centres : {std::size_t{1}, std::size_t{30}, std::size_t{3000}}) {
    const auto values = small_world<std::uint64_t>(random, 3000, centres, 10);
    for (const std::vector<int>& block_counts : kClassicDesigns) expect_exact(values, {3, block_counts}, random);
    for (const int k : {0, 1, 2, 5, 8}) {
      expect_exact(values, {k, {k + 1}}, random);
      expect_exact(values, *choose_hamming_design(64, k, static_cast<double>(values.size())), random);
      expect_exact(values, *choose_hamming_design(64, k, 1e9), random);
    }
  }
}

TEST(HammingTables, AreExactOver128Bits) {
  std::mt19937_64 random(128);
  for (const std::size_t centres : {std::size_t{1}, std::size_t{30}, std::size_t{2000}}) {
    const auto values = small_world<Fingerprint128>(random, 2000, centres, 20);
    for (const int k : {0, 1, 3, 6, 12, 31}) {
      expect_exact(values, {k, {k + 1}}, random);
      expect_exact(values, *choose_hamming_design(128, k, 1e6), random);
    }
    expect_exact(values, {3, {4, 5}}, random);  // blocks that span several ranges
    expect_exact(values, {2, {3, 3, 3}}, random);
    expect_exact(values, {1, {3}}, random);  // keys of more than 64 bits
  }
}

TEST(HammingTables, FindEveryCopyOfAValue) {
  const std::vector<std::uint64_t> values = {7, 8, 7, 0x8000000000000007, 7};
  const std::vector<HammingHit> expected = {{0, 0}, {2, 0}, {3, 1}, {4, 0}};
  const auto tables = HammingTables<std::uint64_t>::build(values, {1, {2}});
  ASSERT_TRUE(tables.has_value());
  std::vector<HammingHit> hits;
  tables->find(7, hits);
  EXPECT_EQ(hits, expected);
  const auto compressed = CompressedHammingTables<std::uint64_t>::build(values, {1, {2}});
  ASSERT_TRUE(compressed.has_value());
  compressed->find(7, hits);
  EXPECT_EQ(hits, expected);
}

// Of the smallest and largest words, whose keys begin the first block and end the last one.
TEST(HammingTables, FindExtremeValues) {
  std::mt19937_64 random(1);
  expect_exact<std::uint64_t>({0, ~std::uint64_t{0}, 1, std::uint64_t{1} << 63}, {3, {4}}, random);
  expect_exact<std::uint64_t>({0}, {3, {4}}, random);
  expect_exact<std::uint64_t>({~std::uint64_t{0}, ~std::uint64_t{0}}, {0, {1}}, random);
  expect_exact<Fingerprint128>({{0, 0}, {~std::uint64_t{0}, ~std::uint64_t{0}}, {0, 1}}, {6, {7}}, random);
}

TEST(HammingTables, FindNothingIfEmpty) {
  const std::vector<Fingerprint128> none;
  std::mt19937_64 random(0);
  expect_exact(none, {6, {7}}, random);
}

TEST(HammingTables, CompareShorterRunsInMoreTables) {
  std::mt19937_64 random(20);
  std::vector<std::uint64_t> values(200000);
  for (std::uint64_t& value : values) value = random();
  for (const std::vector<int>& block_counts : {std::vector<int>{4}, std::vector<int>{6}}) {
    const auto compressed = CompressedHammingTables<std::uint64_t>::build(values, {3, block_counts});
    const auto tables = HammingTables<std::uint64_t>::build(values, {3, block_counts});
    std::vector<HammingHit> hits;
    std::uint64_t sum = 0;
    for (int query = 0; query < 100; ++query) sum += tables->find(random(), hits).comparisons;
    EXPECT_LT(sum, 100 * tables->table_count() * 64);  // of 200,000
    EXPECT_GE(tables->memory_bytes(), tables->table_count() * values.size() * 12);
    // 64 - log2(200,000) + 3.4 bits and a tenth more in each table, and an index of 4 bytes in one.
    EXPECT_GE(compressed->memory_bytes(), tables->table_count() * values.size() * 49 / 8);
    EXPECT_LT(compressed->memory_bytes(), tables->table_count() * values.size() * 55 / 8 + values.size() * 4);
  }
}

}  // namespace
}  // namespace paraprint
