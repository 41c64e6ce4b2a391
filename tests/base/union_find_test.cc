// Compares the sets with components that are found by relabelling all elements at every join.
#include "base/union_find.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace paraprint {
namespace {

TEST(UnionFind, StartsWithOneSetPerElement) {
  std::vector<std::uint32_t> parents(3, 7);  // earlier content is overwritten
  UnionFind<std::uint32_t> sets(parents);
  for (std::uint32_t element = 0; element < 3; ++element) EXPECT_EQ(sets.find(element), element);
  std::vector<std::uint32_t> none;
  UnionFind<std::uint32_t>(none).flatten();
}

TEST(UnionFind, RootIsTheSmallestElement) {
  std::vector<std::uint32_t> parents(6);
  UnionFind<std::uint32_t> sets(parents);
  sets.join(5, 4);
  sets.join(4, 2);
  sets.join(2, 2);
  sets.join(3, 0);
  EXPECT_EQ(sets.find(5), 2U);
  EXPECT_EQ(sets.find(4), 2U);
  EXPECT_EQ(sets.find(3), 0U);
  EXPECT_EQ(sets.find(1), 1U);
  sets.flatten();
  EXPECT_EQ(parents, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 2}));
}

// 4, 3, 2, 1, 0 hang in one chain, which flatten() must follow to its end without the help of find().
TEST(UnionFind, FlattensChains) {
  std::vector<std::uint16_t> parents(5);
  UnionFind<std::uint16_t> sets(parents);
  for (std::uint16_t element = 4; element > 0; --element) sets.join(element, static_cast<std::uint16_t>(element - 1));
  ASSERT_EQ(parents[4], 3);
  sets.flatten();
  EXPECT_EQ(parents, std::vector<std::uint16_t>(5, 0));
}

TEST(UnionFind, AgreesWithRelabellingInAnyOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t size = 1 + random() % 60;
    std::vector<std::size_t> expected(size);
    std::iota(expected.begin(), expected.end(), std::size_t{0});
    std::vector<std::size_t> roots(size);
    UnionFind<std::size_t> sets(roots);
    for (std::size_t joins = random() % (size + 1); joins > 0; --joins) {
      const std::size_t a = random() % size;
      const std::size_t b = random() % size;
      sets.join(a, b);
      const auto [low, high] = std::minmax({expected[a], expected[b]});
      for (std::size_t& label : expected) label = label == high ? low : label;
      EXPECT_EQ(sets.find(b), expected[b]);
    }
    sets.flatten();
    EXPECT_EQ(roots, expected);
  }
}

}  // namespace
}  // namespace paraprint
