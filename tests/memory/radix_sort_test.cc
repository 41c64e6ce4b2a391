// The sorts by integer keys against those of the standard library.
#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "memory/parallel_sort.h"

namespace paraprint {
namespace {

struct Numbered {
  std::uint64_t key = 0;
  std::uint32_t number = 0;
  friend auto operator<=>(const Numbered&, const Numbered&) = default;
};

// Keys of the given number of bits, every fourth one a repetition, numbered in their order.
std::vector<Numbered> numbered(std::size_t size, unsigned bits, std::mt19937_64& random) {
  std::vector<Numbered> records(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    records[i] = {i % 4 == 3 ? records[random() % i].key : random() >> (64 - bits), i};
  }
  return records;
}

template <unsigned kKeyBytes>
void check_stable_sort(std::size_t size, std::mt19937_64& random) {
  const std::vector<Numbered> given = numbered(size, 8 * kKeyBytes, random);
  std::vector<Numbered> expected = given;
  std::stable_sort(expected.begin(), expected.end(),
                   [](const Numbered& a, const Numbered& b) { return a.key < b.key; });
  std::vector<Numbered> records = given;
  std::vector<Numbered> scratch(size);
  const std::span<Numbered> sorted = stable_radix_sort<kKeyBytes>(std::span(records), std::span(scratch),
                                                                  [](const Numbered& record) { return record.key; });
  EXPECT_EQ(sorted.data(), kKeyBytes % 2 == 0 ? records.data() : scratch.data());
  EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), expected.begin(), expected.end())) << kKeyBytes << " " << size;
}

TEST(RadixSort, KeepsTheOrderOfEqualKeys) {
  std::mt19937_64 random(1);
  for (const std::size_t size : {0, 1, 2, 255, 5000}) {
    check_stable_sort<1>(size, random);
    check_stable_sort<2>(size, random);
    check_stable_sort<3>(size, random);
    check_stable_sort<8>(size, random);
  }
}

TEST(RadixSort, SortsWholeRecordsInPlace) {
  std::mt19937_64 random(2);
  for (const std::size_t size : {0, 1, 2, 255, 5000}) {
    for (const unsigned bits : {1U, 12U, 40U, 64U}) {
      std::vector<Numbered> records = numbered(size, bits, random);
      std::shuffle(records.begin(), records.end(), random);
      std::vector<Numbered> expected = records;
      std::sort(expected.begin(), expected.end());
      radix_sort(std::span(records), [](const Numbered& record) { return record.key; });
      EXPECT_EQ(records, expected) << size << " records, " << bits << " bits";
    }
  }
}

// Whatever the keys have in common: the first digit of all, of most, or of none.
TEST(RadixSort, SortsOnThreadsAsOnOne) {
  std::mt19937_64 random(3);
  for (const std::size_t size : {0, 1000, 40'000, 200'000}) {
    for (const unsigned bits : {1U, 12U, 20U, 40U, 64U}) {
      std::vector<Numbered> records = numbered(size, bits, random);
      std::shuffle(records.begin(), records.end(), random);
      std::vector<Numbered> expected = records;
      std::sort(expected.begin(), expected.end());
      const unsigned threads = 2 + static_cast<unsigned>(random() % 4);
      parallel_radix_sort(
          std::span(records), [](const Numbered& record) { return record.key; }, threads);
      EXPECT_EQ(records, expected) << size << " records, " << bits << " bits, " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace paraprint
