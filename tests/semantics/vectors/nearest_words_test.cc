// Compares the kernel with plain sums, and the search with sorting everything.
#include "semantics/vectors/nearest_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/stop.h"
#include "semantics/vectors/dot_products.h"
#include "vectors_testing.h"

namespace paraprint {
namespace {

struct RandomRows {
  std::vector<std::int8_t> components;
  std::vector<float> scales;
  QuantisedRows rows;

  RandomRows(std::size_t count, std::uint32_t dimension, std::uint64_t seed) {
    TestRandom random(seed);
    const std::size_t row_bytes = row_bytes_of(dimension);
    components.resize(count * row_bytes);
    for (std::size_t row = 0; row < count; ++row) {
      int squares = 0;
      for (std::uint32_t i = 0; i < dimension; ++i) {
        const int value = static_cast<int>(random.next() % 255) - 127;
        components[row * row_bytes + i] = static_cast<std::int8_t>(value);
        squares += value * value;
      }
      scales.push_back(static_cast<float>(1 / std::sqrt(static_cast<double>(squares))));
    }
    rows = {components.data(), scales.data(), count, row_bytes};
  }
  std::int32_t dot(std::size_t a, std::size_t b) const {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < rows.row_bytes; ++i) {
      sum += components[a * rows.row_bytes + i] * components[b * rows.row_bytes + i];
    }
    return sum;
  }
};

TEST(DotProducts, AgreeWithPlainSums) {
  for (const std::uint32_t dimension : {1U, 16U, 17U, 100U, 300U, kVectorDimensionMaximum}) {
    const RandomRows random(11, dimension, dimension);
    std::vector<std::int32_t> dots(7 * 4);
    dot_products(random.rows.components, 7, random.rows.components + 7 * random.rows.row_bytes, 4,
                 random.rows.row_bytes, dots.data());
    for (std::size_t r = 0; r < 7; ++r) {
      for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(dots[r * 4 + c], random.dot(r, 7 + c)) << dimension;
    }
  }
}

TEST(NearestWords, AgreeWithSortingAllWords) {
  const RandomRows random(700, 12, 5);
  const std::uint32_t searched = 600;
  const std::vector<std::uint32_t> nearest = *find_all_nearest(random.rows, searched, 1, {});
  EXPECT_EQ(*find_all_nearest(random.rows, searched, 3, {}), nearest) << "the result depends on the number of threads";
  for (std::uint32_t row = 0; row < searched; row += 37) {
    std::vector<NearWord> all;
    for (std::uint32_t other = 0; other < searched; ++other) {
      if (other == row) continue;
      all.push_back({other, cosine_of(random.dot(row, other), random.scales[row], random.scales[other])});
    }
    std::stable_sort(all.begin(), all.end(), [](const NearWord& a, const NearWord& b) { return a.cosine > b.cosine; });
    for (std::size_t i = 0; i < kNearestWordsKept; ++i) EXPECT_EQ(nearest[row * kNearestWordsKept + i], all[i].row);
  }
}

TEST(NearestWords, PadShortLists) {
  const RandomRows random(3, 5, 9);
  const std::vector<std::uint32_t> nearest = *find_all_nearest(random.rows, 3, 2, {});
  EXPECT_EQ(std::count(nearest.begin(), nearest.end(), kNoRow), 3 * (kNearestWordsKept - 2));
  EXPECT_EQ(nearest_words(random.rows, 0, 5).size(), 2U);
}

TEST(NearestWords, StopOnRequest) {
  const RandomRows random(700, 12, 5);
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<bool> stop{false};
    const StopScope scope(&stop);
    std::uint64_t last = 0;
    const auto nearest = find_all_nearest(random.rows, 700, threads, [&](std::uint64_t done) {
      last = done;
      stop.store(true);
    });
    ASSERT_FALSE(nearest.has_value());
    EXPECT_EQ(nearest.error().code, ErrorCode::kCancelled);
    EXPECT_LT(last, 700U);
  }
}

}  // namespace
}  // namespace paraprint
