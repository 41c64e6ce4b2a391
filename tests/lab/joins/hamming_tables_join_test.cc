// The oracle is the join without tables, which is tested against all pairs.
#include "lab/joins/hamming_tables_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

namespace paraprint {
namespace {

struct Answer {
  std::vector<std::tuple<std::uint32_t, std::uint32_t, int>> pairs;
  std::vector<std::vector<std::uint32_t>> groups;

  void sort() {
    std::sort(pairs.begin(), pairs.end());
    std::sort(groups.begin(), groups.end());
  }
  friend bool operator==(const Answer&, const Answer&) = default;
};

auto join(std::span<const std::uint64_t> values, const HammingJoinOptions& options, const HammingPairCallback& on_pair,
          const EqualGroupCallback& on_equal) {
  return hamming_join_64(values, options, on_pair, on_equal);
}
auto join(std::span<const Fingerprint128> values, const HammingJoinOptions& options, const HammingPairCallback& on_pair,
          const EqualGroupCallback& on_equal) {
  return hamming_join_128(values, options, on_pair, on_equal);
}

void flip(std::uint64_t& value, std::uint64_t bit) {
  value ^= std::uint64_t{1} << bit % 64;
}
void flip(Fingerprint128& value, std::uint64_t bit) {
  (bit % 128 < 64 ? value.high : value.low) ^= std::uint64_t{1} << bit % 64;
}
void fill(std::uint64_t& value, std::mt19937_64& random) {
  value = random();
}
void fill(Fingerprint128& value, std::mt19937_64& random) {
  value = {random(), random()};
}

// Copies of earlier values with up to six bits flipped, including equal ones.
template <class Value>
std::vector<Value> near_values(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<Value> values;
  while (values.size() < count) {
    Value value{};
    fill(value, random);
    if (!values.empty() && random() % 4 != 0) {
      value = values[random() % values.size()];
      for (std::uint64_t flips = random() % 7; flips > 0; --flips) flip(value, random());
    }
    values.push_back(value);
  }
  return values;
}

template <class Value>
void expect_same_answer(const std::vector<Value>& values, const HammingDesign& design, HammingTableForm form,
                        std::size_t tables) {
  Answer by_tables;
  Answer by_join;
  const auto collect = [](Answer& answer) {
    return std::pair(
        [&](std::uint32_t i, std::uint32_t j, int bits) { answer.pairs.emplace_back(i, j, bits); },
        [&](std::span<const std::uint32_t> indices) { answer.groups.emplace_back(indices.begin(), indices.end()); });
  };
  const auto [table_pair, table_group] = collect(by_tables);
  const auto result = join_by_hamming_tables(std::span<const Value>(values), design, form, table_pair, table_group);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->tables, tables);
  EXPECT_EQ(result->pairs, by_tables.pairs.size());
  const auto [join_pair, join_group] = collect(by_join);
  HammingJoinOptions options;
  options.distance_bits = design.distance_bits;
  ASSERT_TRUE(join(std::span<const Value>(values), options, join_pair, join_group));
  EXPECT_GT(by_join.pairs.size(), values.size() / 4);
  by_tables.sort();
  by_join.sort();
  EXPECT_EQ(by_tables, by_join);
}

TEST(HammingTablesJoin, EveryPublishedDesignGivesTheResultOfTheJoin) {
  const std::pair<std::vector<int>, std::size_t> designs[] = {{{4}, 4}, {{5}, 10}, {{4, 4}, 16}, {{6}, 20}};
  for (const HammingTableForm form : {HammingTableForm::kSorted, HammingTableForm::kCompressed}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      for (const auto& [levels, tables] : designs) {
        expect_same_answer(near_values<std::uint64_t>(seed, 1500), {3, levels}, form, tables);
        expect_same_answer(near_values<Fingerprint128>(seed, 1500), {3, levels}, form, tables);
      }
    }
    expect_same_answer(near_values<Fingerprint128>(9, 1500), {6, {7}}, form, 7);
  }
}

TEST(HammingTablesJoin, CompressedTablesTakeLessMemory) {
  const std::vector<Fingerprint128> values = near_values<Fingerprint128>(3, 20000);
  std::uint64_t bytes[2] = {};
  for (const HammingTableForm form : {HammingTableForm::kSorted, HammingTableForm::kCompressed}) {
    const auto joined = join_by_hamming_tables(
        std::span<const Fingerprint128>(values), {6, {8}}, form, [](std::uint32_t, std::uint32_t, int) {},
        [](std::span<const std::uint32_t>) {});
    ASSERT_TRUE(joined);
    bytes[form == HammingTableForm::kCompressed] = joined->table_bytes;
  }
  EXPECT_LT(bytes[1], bytes[0] * 3 / 4);
}

TEST(HammingTablesJoin, RejectsDesignsWithTooManyTables) {
  const std::vector<std::uint64_t> values = {1, 2};
  const auto result = join_by_hamming_tables(
      std::span<const std::uint64_t>(values), {12, {15}}, HammingTableForm::kSorted,
      [](std::uint32_t, std::uint32_t, int) {}, [](std::span<const std::uint32_t>) {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace paraprint
