#include "lab/sketches/sign_projection.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string_view>
#include <vector>

#include "base/hamming_distance.h"
#include "base/hash.h"

namespace paraprint {
namespace {

struct WeightedTerms {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> weights;
};

WeightedTerms terms(const std::vector<std::pair<std::string_view, std::uint32_t>>& words) {
  WeightedTerms result;
  for (const auto& [word, weight] : words) {
    result.hashes.push_back(hash64(word));
    result.weights.push_back(weight);
  }
  return result;
}

template <std::size_t kWords>
std::array<std::uint64_t, kWords> project(const WeightedTerms& terms) {
  std::array<std::uint64_t, kWords> words{};
  sign_projection(terms.hashes, terms.weights, words);
  return words;
}

TEST(SignProjection, MatchesTheWorkedExample) {
  const auto a = project<1>(terms({{"search", 10}, {"engine", 7}, {"page", 3}, {"hash", 2}}));
  const auto b = project<1>(terms({{"hash", 2}, {"page", 3}, {"engine", 8}, {"search", 9}}));
  EXPECT_EQ(a[0], 0xd26438a3ac854e5dULL);
  EXPECT_EQ(b[0], 0xc2243823ac054e5dULL);
  EXPECT_EQ(hamming_distance(a, b), 4);
}

// The definition: one sum per bit.
std::vector<std::uint64_t> by_definition(const WeightedTerms& terms, std::size_t word_count) {
  std::vector<std::int64_t> sums(64 * word_count);
  for (std::size_t i = 0; i < terms.hashes.size(); ++i) {
    std::uint64_t state = terms.hashes[i];
    for (std::size_t word = 0; word < word_count; ++word) {
      state += 0x9E3779B97F4A7C15ULL;
      std::uint64_t output = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9ULL;
      output = (output ^ (output >> 27)) * 0x94D049BB133111EBULL;
      output ^= output >> 31;
      for (std::size_t bit = 0; bit < 64; ++bit) {
        const bool is_set = (output >> (63 - bit) & 1) != 0;
        sums[64 * word + bit] += is_set ? std::int64_t{terms.weights[i]} : -std::int64_t{terms.weights[i]};
      }
    }
  }
  std::vector<std::uint64_t> words(word_count);
  for (std::size_t j = 0; j < sums.size(); ++j) words[j / 64] |= std::uint64_t{sums[j] > 0} << (63 - j % 64);
  return words;
}

TEST(SignProjection, MatchesTheDefinition) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 50; ++round) {
    WeightedTerms world;
    for (std::size_t i = random() % 200; i > 0; --i) {
      world.hashes.push_back(random());
      world.weights.push_back(static_cast<std::uint32_t>(round % 2 == 0 ? random() % 9 : random()));
    }
    std::vector<std::uint64_t> words(6, ~std::uint64_t{0});
    sign_projection(world.hashes, world.weights, words);
    EXPECT_EQ(words, by_definition(world, 6));
  }
}

TEST(SignProjection, IsZeroWithoutTerms) {
  EXPECT_EQ(project<2>({}), (std::array<std::uint64_t, 2>{}));
}

}  // namespace
}  // namespace paraprint
