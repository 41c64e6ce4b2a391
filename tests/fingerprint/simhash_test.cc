#include "fingerprint/simhash.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "base/hamming_distance.h"
#include "base/hash.h"

namespace paraprint {
namespace {

std::string hex(Fingerprint128 value) {
  return fmt::format("{:016x}{:016x}", value.high, value.low);
}

Fingerprint128 of_words(const std::vector<std::pair<const char*, std::uint32_t>>& words,
                        Fingerprint128 (*hash)(std::string_view)) {
  std::vector<Fingerprint128> hashes;
  std::vector<std::uint32_t> weights;
  for (const auto& [word, count] : words) {
    hashes.push_back(hash(word));
    weights.push_back(count * kSimHashWeightOne);
  }
  return simhash128(hashes, weights);
}

// {苹果 4, 水果 3, 美味 2}, and the same with 美味 replaced by 好吃, with both hash functions.
TEST(SimHash, MatchesTheWorkedExamples) {
  const auto apple = of_words({{"苹果", 4}, {"水果", 3}, {"美味", 2}}, blake2b128);
  const auto other = of_words({{"苹果", 4}, {"水果", 3}, {"好吃", 2}}, blake2b128);
  EXPECT_EQ(hex(apple), "a5743801b7baa226bb8ea9a767fdca20");
  EXPECT_EQ(hex(other), "eb56364897faab24bbaab42ee289cc70");
  EXPECT_EQ(hamming_distance(apple, other), 37);
  const auto apple_murmur = of_words({{"苹果", 4}, {"水果", 3}, {"美味", 2}}, murmur128);
  const auto other_murmur = of_words({{"苹果", 4}, {"水果", 3}, {"好吃", 2}}, murmur128);
  EXPECT_EQ(hex(apple_murmur), "4396d4078914e4983a06ae000c0f8373");
  EXPECT_EQ(hex(other_murmur), "461765078fb6a4bc1a4e22752e0f8bfb");
  EXPECT_EQ(hamming_distance(apple_murmur, other_murmur), 32);
}

// The small ones: a word of weight 0.5 with the hash 1010 votes (+.5, -.5, +.5, -.5), and 10101010 and 10001011 differ
// in two bits.
TEST(SimHash, MatchesTheExamplesOfFewBits) {
  constexpr std::uint64_t kHash = std::uint64_t{0b1010} << 60;
  const std::vector<Fingerprint128> hashes = {{kHash, 0}};
  const std::vector<std::uint32_t> weights = {kSimHashWeightOne / 2};
  EXPECT_EQ(simhash128(hashes, weights), (Fingerprint128{kHash, 0}));
  const std::vector<Fingerprint128> with_opposite = {{kHash, 0}, {~kHash, 0}};
  EXPECT_EQ(simhash128(with_opposite, std::vector<std::uint32_t>{kSimHashWeightOne / 2, kSimHashWeightOne / 4}),
            (Fingerprint128{kHash, 0}));
  EXPECT_EQ(hamming_distance(Fingerprint128{0b10101010, 0}, Fingerprint128{0b10001011, 0}), 2);
  EXPECT_EQ(hamming_distance(Fingerprint128{0, 0b10101010}, Fingerprint128{0, 0b10001011}), 2);
}

// A weight above the sum of all others decides every bit.
TEST(SimHash, FollowsADominantFeature) {
  EXPECT_EQ(hex(of_words({{"苹果", 5}, {"水果", 2}, {"美味", 2}}, blake2b128)), "f3d43608b7aa62a6bba9a2f6669fe620");
}

TEST(SimHash, IsZeroWithoutFeaturesAndOnTiedVotes) {
  EXPECT_EQ(simhash128({}, {}), Fingerprint128{});
  const std::vector<Fingerprint128> opposed = {{~std::uint64_t{0}, 0}, {0, ~std::uint64_t{0}}};
  const std::vector<std::uint32_t> weights = {7, 7};
  EXPECT_EQ(simhash128(opposed, weights), Fingerprint128{});
}

TEST(SimHash, EqualsTheReferenceForAnyOrderAndSize) {
  std::mt19937_64 random(20240501);
  for (const std::size_t count : {1, 2, 7, 64, 1000, 20000}) {
    std::vector<std::pair<Fingerprint128, std::uint32_t>> features;
    for (std::size_t i = 0; i < count; ++i) {
      features.push_back({{random(), random()}, static_cast<std::uint32_t>(random() % (std::uint64_t{1} << 28))});
    }
    const auto run = [&](auto function) {
      std::vector<Fingerprint128> hashes;
      std::vector<std::uint32_t> weights;
      for (const auto& [hash, weight] : features) {
        hashes.push_back(hash);
        weights.push_back(weight);
      }
      return function(hashes, weights);
    };
    const Fingerprint128 expected = run(simhash128_reference);
    EXPECT_EQ(run(simhash128), expected) << count;
    std::reverse(features.begin(), features.end());
    EXPECT_EQ(run(simhash128), expected) << count;
  }
}

TEST(SimHash, TakesWeightsOfAnySizeInPieces) {
  std::vector<Fingerprint128> hashes;
  std::vector<std::uint32_t> weights;
  const Fingerprint128 heavy = {1, 2};
  append_feature(heavy, 0, hashes, weights);
  EXPECT_TRUE(hashes.empty());
  append_feature({4, 8}, kSimHashWeightMaximum, hashes, weights);
  EXPECT_EQ(weights, std::vector<std::uint32_t>{kSimHashWeightMaximum});
  append_feature(heavy, std::uint64_t{5} << 32, hashes, weights);
  EXPECT_EQ(std::accumulate(weights.begin() + 1, weights.end(), std::uint64_t{0}), std::uint64_t{5} << 32);
  EXPECT_EQ(*std::max_element(weights.begin(), weights.end()), kSimHashWeightMaximum);
  EXPECT_EQ(simhash128(hashes, weights), heavy);
}

// The probability that `votes` votes of +1 or -1 sum to `sum`.
double probability_of_sum(int votes, int sum) {
  if (std::abs(sum) > votes || (votes + sum) % 2 != 0) return 0;
  const int ones = (votes + sum) / 2;
  return std::exp(std::lgamma(votes + 1) - std::lgamma(ones + 1) - std::lgamma(votes - ones + 1) -
                  votes * std::log(2.0));
}

// The exact mean distance after replacing m of n equally weighted words; n is odd, so that votes cannot be tied.
double expected_distance_bits(int words, int replaced) {
  double flips = 0;
  for (int kept = -words; kept <= words; ++kept) {
    for (int before = -replaced; before <= replaced; ++before) {
      for (int after = -replaced; after <= replaced; ++after) {
        if ((kept + before > 0) == (kept + after > 0)) continue;
        flips += probability_of_sum(words - replaced, kept) * probability_of_sum(replaced, before) *
                 probability_of_sum(replaced, after);
      }
    }
  }
  return 128 * flips;
}

// The angle law with cos = 1 - m/n is an approximation: for few equal votes it lies above the exact mean.
TEST(SimHash, DistanceFollowsTheAngle) {
  struct Case {
    std::size_t words;
    std::size_t replaced;
    double angle_law_bits;
  };
  std::mt19937_64 random(21);
  for (const Case& c : {Case{61, 1, 7.4}, Case{61, 2, 10.5}, Case{61, 3, 12.9}, Case{31, 1, 10.5}, Case{31, 2, 15.0}}) {
    constexpr int kTrials = 2000;
    double sum = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<Fingerprint128> hashes;
      for (std::size_t i = 0; i < c.words; ++i) hashes.push_back({random(), random()});
      const std::vector<std::uint32_t> weights(c.words, kSimHashWeightOne);
      const Fingerprint128 before = simhash128(hashes, weights);
      for (std::size_t i = 0; i < c.replaced; ++i) hashes[i] = {random(), random()};
      sum += hamming_distance(before, simhash128(hashes, weights));
    }
    const double exact_bits = expected_distance_bits(static_cast<int>(c.words), static_cast<int>(c.replaced));
    EXPECT_NEAR(sum / kTrials, exact_bits, 0.03 * exact_bits) << c.words << " " << c.replaced;
    EXPECT_NEAR(exact_bits, c.angle_law_bits, 0.15 * c.angle_law_bits) << c.words << " " << c.replaced;
  }
}

}  // namespace
}  // namespace paraprint
