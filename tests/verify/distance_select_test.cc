#include "verify/distance_select.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace paraprint {
namespace {

// Distances of a page: mostly about 64 of 128 bits, some small; padded to whole blocks.
std::vector<std::uint8_t> distances(std::size_t size, std::mt19937& random) {
  std::vector<std::uint8_t> made;
  for (std::size_t i = 0; i < size; ++i)
    made.push_back(static_cast<std::uint8_t>(random() % 8 == 0 ? random() % 10 : random() % 129));
  made.resize(whole_distance_blocks(size), kNoDistance);
  return made;
}

unsigned limit_by_sorting(std::vector<std::uint8_t> values, std::size_t wanted, unsigned upper) {
  std::sort(values.begin(), values.end());
  return wanted == 0 ? 0 : wanted > values.size() ? upper : std::min<unsigned>(values[wanted - 1], upper);
}

TEST(DistanceSelect, FindsTheLimitThatSortingFinds) {
  std::mt19937 random(1);
  for (int world = 0; world < 500; ++world) {
    const std::vector<std::uint8_t> values = distances(1 + random() % 700, random);
    const std::size_t wanted = random() % 40;
    const unsigned upper = random() % 128;
    ASSERT_EQ(limit_of_smallest(values, wanted, upper), limit_by_sorting(values, wanted, upper)) << "world " << world;
  }
}

// A sum of bytes must not wrap where all of a block are counted.
TEST(DistanceSelect, CountsWholeBlocksOfSmallDistances) {
  const std::vector<std::uint8_t> values(4 * kDistanceBlock, 5);
  EXPECT_EQ(limit_of_smallest(values, values.size(), 40), 5);
  EXPECT_EQ(limit_of_smallest(values, values.size() + 1, 40), 40);
}

TEST(DistanceSelect, AppendsThePositionsOfAllUpToTheLimit) {
  std::mt19937 random(2);
  for (int world = 0; world < 500; ++world) {
    const std::vector<std::uint8_t> values = distances(1 + random() % 300, random);
    const unsigned limit = random() % (kSelectedDistanceMaximum + 1);
    std::vector<std::uint32_t> positions = {77};
    append_up_to(values, limit, positions);
    std::vector<std::uint32_t> expected = {77};
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      if (values[i] <= limit) expected.push_back(i);
    }
    ASSERT_EQ(positions, expected) << "limit " << limit;
  }
}

// Every distance beside every other one: none borrows from its neighbour.
TEST(DistanceSelect, TellsEachDistanceFromEachLimit) {
  std::vector<std::uint8_t> values(256);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i);
  for (int order = 0; order < 20; ++order) {
    std::mt19937 random(static_cast<unsigned>(order));
    std::shuffle(values.begin(), values.end(), random);
    for (unsigned limit = 0; limit <= kSelectedDistanceMaximum; ++limit) {
      std::vector<std::uint32_t> positions;
      append_up_to(values, limit, positions);
      ASSERT_EQ(positions.size(), limit + 1);
      for (const std::uint32_t position : positions) ASSERT_LE(values[position], limit);
    }
  }
}

}  // namespace
}  // namespace paraprint
