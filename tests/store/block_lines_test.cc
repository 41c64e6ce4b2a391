// BlockLines compared with a scan of all entries.
#include "store/block_lines.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <vector>

namespace paraprint {
namespace {

// The part of a block that is compared without the fingerprint.
constexpr int kDecidedBits = 27;

bool always(std::uint32_t) {
  return true;
}

std::vector<std::uint32_t> found(const BlockLines& lines, std::uint32_t block) {
  std::vector<std::uint32_t> numbers;
  const auto visit = [&](std::uint32_t number) {
    numbers.push_back(number);
    return true;
  };
  lines.find(block, visit, always);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<std::uint32_t> found_within_one_bit(const BlockLines& lines, std::uint32_t block) {
  std::vector<std::uint32_t> numbers;
  lines.find_within_one_bit(
      block, [] {},
      [&](std::uint32_t number) {
        numbers.push_back(number);
        return true;
      },
      always);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// Few different blocks, so that some lines are empty, some full, and some continued in several overflow lines.
TEST(BlockLines, FindsTheSameAsAScan) {
  std::mt19937 random(5);
  for (const std::uint32_t capacity : {1U, 100U, 4096U, 70'000U}) {
    BlockLines lines(capacity);
    std::vector<std::uint32_t> blocks;
    const auto common = static_cast<std::uint32_t>(random());
    for (std::uint32_t number = 1; number <= std::min(capacity, 3000U); ++number) {
      const auto kind = random() % 4;
      auto block = static_cast<std::uint32_t>(random());
      if (kind == 0) block = common;
      if (kind == 1) block = common ^ (1U << random() % 32);
      if (kind == 2 && !blocks.empty()) block = blocks[random() % blocks.size()] ^ (1U << random() % 32);
      blocks.push_back(block);
      lines.add(block, number);
    }
    for (int query = 0; query < 300; ++query) {
      std::uint32_t block = query % 3 == 0 ? common : blocks[random() % blocks.size()];
      if (query % 2 == 0) block ^= 1U << random() % 32;
      std::vector<std::uint32_t> equal;
      std::vector<std::uint32_t> close;
      for (std::uint32_t number = 1; number <= blocks.size(); ++number) {
        const std::uint32_t different = (blocks[number - 1] ^ block) >> (kBlockBits - kDecidedBits);
        if (different == 0) equal.push_back(number);
        if ((different & (different - 1)) == 0) close.push_back(number);
      }
      ASSERT_EQ(found(lines, block), equal);
      ASSERT_EQ(found_within_one_bit(lines, block), close);
    }
  }
}

TEST(BlockLines, HoldsItsCapacityInOneBlock) {
  constexpr std::uint32_t kCapacity = 5000;
  BlockLines lines(kCapacity);
  for (std::uint32_t number = 1; number <= kCapacity; ++number) lines.add(7, number);
  EXPECT_EQ(found(lines, 7).size(), kCapacity);
  EXPECT_EQ(found_within_one_bit(lines, 7 ^ 0x80000000U).size(), kCapacity);
  std::uint32_t visited = 0;
  const auto visit_forty = [&](std::uint32_t) { return ++visited < 40; };
  lines.find(7, visit_forty, always);
  EXPECT_EQ(visited, 40U);
}

TEST(BlockLines, AsksBeforeEachFurtherLine) {
  BlockLines lines(5000);
  for (std::uint32_t number = 1; number <= 150; ++number) lines.add(7, number);
  std::uint32_t visited = 0;
  const auto visit = [&](std::uint32_t) {
    ++visited;
    return true;
  };
  std::vector<std::uint32_t> asked;
  lines.find(7, visit, [&](std::uint32_t count) {
    asked.push_back(count);
    return count < 3;
  });
  EXPECT_THAT(asked, ::testing::ElementsAre(1, 2, 3));
  EXPECT_EQ(visited, 3 * 15U);
  asked.clear();
  lines.find_within_one_bit(
      7, [] {}, visit,
      [&](std::uint32_t count) {
        asked.push_back(count);
        return true;
      });
  EXPECT_EQ(asked.size(), 9U) << "ten lines, and no further one of the others";
}

}  // namespace
}  // namespace paraprint
