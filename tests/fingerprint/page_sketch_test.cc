#include "fingerprint/page_sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace paraprint {
namespace {

std::vector<std::uint64_t> random_words(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> words(count);
  std::generate(words.begin(), words.end(), [&] { return random(); });
  return words;
}

PageSketch sketch_of(const std::vector<std::uint64_t>& words, const std::vector<std::uint64_t>& numbers = {}) {
  PageSketch sketch;
  make_page_sketch(words, numbers, sketch);
  return sketch;
}

double equal_share(const PageSketch& a, const PageSketch& b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.pair_hashes.size(); ++i) equal += a.pair_hashes[i] == b.pair_hashes[i] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(a.pair_hashes.size());
}

TEST(PageSketch, EqualBytesEstimateTheJaccardSimilarityOfPairs) {
  // Each changed word changes four of 499 + 498 pairs. The mean over 40 pages has an error of 0.04 / sqrt(40).
  double mean = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::vector<std::uint64_t> words = random_words(500, seed);
    std::vector<std::uint64_t> edited = words;
    for (std::size_t i = 10; i < 500; i += 20) edited[i] += 1;
    mean += equal_share(sketch_of(words), sketch_of(edited)) / 40;
  }
  const double all = 499 + 498;
  const double common = all - 25 * 4;
  const double jaccard = common / (2 * all - common);
  EXPECT_NEAR(mean, jaccard + (1 - jaccard) / 256, 0.02);
}

TEST(PageSketch, DependsOnWordOrder) {
  std::vector<std::uint64_t> words = random_words(200, 1);
  const PageSketch sketch = sketch_of(words);
  std::reverse(words.begin(), words.end());
  EXPECT_LT(equal_share(sketch, sketch_of(words)), 0.1);
}

TEST(PageSketch, HasNoPairsForFewWords) {
  EXPECT_TRUE(sketch_of({}).pair_hashes.empty());
  EXPECT_TRUE(sketch_of(random_words(33, 1)).pair_hashes.empty());
  EXPECT_EQ(sketch_of(random_words(34, 1)).pair_hashes.size(), PageSketch::kPairHashes);
}

TEST(PageSketch, KeepsTheSmallestDistinctNumbers) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 40; i > 0; --i) numbers.push_back(i << 32);
  numbers.push_back(std::uint64_t{7} << 32);
  const PageSketch sketch = sketch_of({}, numbers);
  EXPECT_EQ(sketch.number_count, 40U);
  ASSERT_EQ(sketch.numbers.size(), PageSketch::kNumbersKept);
  EXPECT_EQ(sketch.numbers.front(), 1U);
  EXPECT_EQ(sketch.numbers.back(), 24U);
  EXPECT_TRUE(std::is_sorted(sketch.numbers.begin(), sketch.numbers.end()));
}

}  // namespace
}  // namespace paraprint
