#include "lab/signatures/keywords.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "lab/fingerprint_testing.h"
#include "lab/signatures/keyword_cut.h"
#include "property.h"

namespace paraprint {
namespace {

std::vector<std::string> names(const TestPage& page, const std::vector<Keyword>& keywords) {
  std::vector<std::string> result;
  for (const Keyword& keyword : keywords) result.emplace_back(page.terms.bytes_of_token(keyword.term));
  return result;
}

TEST(Keywords, AreOrderedByWeightThenBytesWithoutStopWords) {
  TestPage page(repeated_words({{"web", 3}, {"the", 9}, {"engine", 3}, {"search", 5}, {"once", 1}}));
  page.set_title({"title"});
  page.term("the").is_stop_word = true;
  std::vector<Keyword> keywords;
  select_keywords(page.terms, KeywordWeighting::kCount, 100, keywords);
  EXPECT_EQ(names(page, keywords), (std::vector<std::string>{"search", "engine", "web", "once"}));
  select_keywords(page.terms, KeywordWeighting::kCount, 2, keywords);
  EXPECT_EQ(names(page, keywords), (std::vector<std::string>{"search", "engine"}));
  page.term("once").idf = 6;
  select_keywords(page.terms, KeywordWeighting::kCountIdf, 1, keywords);
  EXPECT_EQ(names(page, keywords), (std::vector<std::string>{"once"}));
  EXPECT_EQ(keywords[0].weight, 6);
}

TEST(Keywords, AreJoinedWithASeparator) {
  std::string first;
  append_joined("ab", first);
  append_joined("c", first);
  std::string second;
  append_joined("a", second);
  append_joined("bc", second);
  EXPECT_EQ(first,
            "ab\x1F"
            "c");
  EXPECT_NE(first, second);
}

struct Weights {
  std::vector<std::uint64_t> keys;
  std::vector<float> weights;
  WeightVector view() const { return {keys, weights}; }
};

Weights small_weights(const std::vector<std::uint8_t>& counts) {  // key i < 6 has weight counts[i] % 7
  Weights result;
  for (std::size_t i = 0; i < counts.size() && i < 6; ++i) {
    if (counts[i] % 7 == 0) continue;
    result.keys.push_back(i);
    result.weights.push_back(static_cast<float>(counts[i] % 7));
  }
  return result;
}

// Range, extreme values, symmetry, scaling, and equality with 1 - Dice.
TEST(WeightDistance, IsBoundedSymmetricAndScaleInvariant) {
  EXPECT_EQ(weight_distance(Weights{{1}, {3}}.view(), Weights{{2}, {4}}.view()), 1);
  EXPECT_EQ(weight_distance({}, {}), 1);
  CHECK_PROPERTY("SIM", [](const std::vector<std::uint8_t>& x, const std::vector<std::uint8_t>& y) {
    const Weights a = small_weights(x);
    const Weights b = small_weights(y);
    const double distance = weight_distance(a.view(), b.view());
    RC_ASSERT(distance >= 0.0 && distance <= 1.0);
    RC_ASSERT(distance == weight_distance(b.view(), a.view()));
    if (!a.keys.empty()) RC_ASSERT(weight_distance(a.view(), a.view()) == 0.0);
    Weights a_scaled = a;
    Weights b_scaled = b;
    for (float& weight : a_scaled.weights) weight *= 3;
    for (float& weight : b_scaled.weights) weight *= 3;
    RC_ASSERT(std::abs(weight_distance(a_scaled.view(), b_scaled.view()) - distance) < 1e-12);
    double product = 0;
    double squares = 0;
    for (std::size_t i = 0; i < a.keys.size(); ++i) {
      squares += static_cast<double>(a.weights[i] * a.weights[i]);
      for (std::size_t j = 0; j < b.keys.size(); ++j) {
        if (a.keys[i] == b.keys[j]) product += static_cast<double>(a.weights[i] * b.weights[j]);
      }
    }
    for (const float weight : b.weights) squares += static_cast<double>(weight * weight);
    if (squares > 0) RC_ASSERT(std::abs(distance - (1 - 2 * product / squares)) < 1e-12);
  });
}

// For equal directions, a limit of 0.05 allows a ratio of norms of 1.3813.
TEST(WeightDistance, BoundsTheRatioOfNorms) {
  const Weights a{{1, 2}, {2, 1}};
  EXPECT_LT(weight_distance(a.view(), Weights{{1, 2}, {2 * 1.381F, 1.381F}}.view()), 0.05);
  EXPECT_GT(weight_distance(a.view(), Weights{{1, 2}, {2 * 1.382F, 1.382F}}.view()), 0.05);
}

std::vector<Keyword> with_weights(const std::vector<double>& weights) {
  std::vector<Keyword> keywords;
  for (const double weight : weights) keywords.push_back({0, weight});
  return keywords;
}

// Weights 1/i. The squares of all weights after the first hundred thousand sum to 1e-5, of pi^2 / 6 in total.
TEST(KeywordCut, MatchesTheKnownEnergyOfZipfWeights) {
  std::vector<double> weights;
  for (int i = 1; i <= 100'000; ++i) weights.push_back(1.0 / i);
  const auto keywords = with_weights(weights);
  const std::pair<std::size_t, double> known[] = {{5, 0.9433}, {10, 0.9706}, {20, 0.9851}, {50, 0.9940}};
  for (const auto& [kept, cosine] : known) {
    const CutQuality quality = cut_quality(keywords, kept);
    EXPECT_NEAR(std::sqrt(quality.kept_energy), cosine, 6e-5) << kept;
    EXPECT_NEAR(quality.margin, 1.0 / static_cast<double>(kept + 1), 1e-9);
  }
}

TEST(KeywordCut, MarginIsZeroBetweenEqualWeights) {
  EXPECT_EQ(cut_quality(with_weights({4, 3, 3, 1}), 2).margin, 0);
  EXPECT_NEAR(cut_quality(with_weights({4, 3, 3, 1}), 3).margin, 2.0 / 3, 1e-12);
  EXPECT_EQ(cut_quality(with_weights({4, 3}), 2).margin, 1);
  EXPECT_EQ(cut_quality(with_weights({4, 3}), 9).kept_energy, 1);
  EXPECT_EQ(cut_quality(with_weights({0, 0}), 1).margin, 0);
  EXPECT_EQ(cut_quality({}, 1).kept_energy, 1);
}

TEST(KeywordCut, FirmestCutIsAtTheLargestDrop) {
  const auto keywords = with_weights({9, 9, 8, 8, 4, 4, 1, 1});
  EXPECT_EQ(firmest_cut(keywords, 2, 5), 4U);
  EXPECT_EQ(firmest_cut(keywords, 2, 6), 6U);
  EXPECT_EQ(firmest_cut(keywords, 2, 100), 8U);  // nothing is cut off
  EXPECT_EQ(firmest_cut(keywords, 8, 16), 8U);
  EXPECT_EQ(firmest_cut(with_weights({5, 4, 3, 2, 1}), 1, 3), 3U);  // margins 1/5, 1/4, 1/3
  EXPECT_EQ(firmest_cut(with_weights({1, 1, 1, 1}), 1, 3), 1U);
}

TEST(KeywordCut, StatisticsAreIndependentOfOrder) {
  const CutQuality qualities[] = {{0.5, 0}, {0.75, 0.5}, {1, 1}};
  CutStatistics forward;
  CutStatistics backward;
  for (const CutQuality& quality : qualities) forward.add(quality);
  for (std::size_t i = 3; i-- > 0;) {
    CutStatistics one;
    one.add(qualities[i]);
    backward.add(one);
  }
  EXPECT_EQ(forward.pages(), 3U);
  EXPECT_DOUBLE_EQ(forward.mean_kept_energy(), 0.75);
  EXPECT_EQ(forward.mean_kept_energy(), backward.mean_kept_energy());
  EXPECT_DOUBLE_EQ(backward.tied_share(), 1.0 / 3);
  EXPECT_EQ(CutStatistics().mean_kept_energy(), 0);
}

}  // namespace
}  // namespace paraprint
