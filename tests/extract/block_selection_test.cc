#include "extract/block_selection.h"

#include <gtest/gtest.h>

#include <random>

#include "extract/block_features.h"
#include "extract/block_model.h"

namespace paraprint {
namespace {

constexpr double kCertain = 65535.0;

PageTree page_of(const std::vector<std::uint32_t>& tokens) {
  PageTree tree;
  for (const std::uint32_t count : tokens) tree.units.emplace_back().text.tokens = count;
  return tree;
}

double expected_f1(const PageTree& tree, const std::vector<BlockWeight>& weights, std::uint32_t choice) {
  double content = 0;
  double chosen_content = 0;
  double chosen = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double expected = tree.units[i].text.tokens * kWeightProbability[weights[i]] / kCertain;
    content += expected;
    if ((choice >> i & 1U) != 0) {
      chosen_content += expected;
      chosen += tree.units[i].text.tokens;
    }
  }
  return 2 * chosen_content / (content + chosen);
}

TEST(BlockSelection, IsAsGoodAsTheBestOfAllChoices) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t count = 1 + random() % 9;
    std::vector<std::uint32_t> tokens;
    std::vector<BlockWeight> weights;
    for (std::size_t i = 0; i < count; ++i) {
      tokens.push_back(static_cast<std::uint32_t>(1 + random() % 50));
      weights.push_back(static_cast<BlockWeight>(random() % 256));
    }
    const PageTree tree = page_of(tokens);
    BlockSelection selection;
    select_units(tree, weights, selection);
    std::uint32_t choice = 0;
    for (std::size_t i = 0; i < count; ++i) choice |= selection.chosen[i] ? 1U << i : 0U;
    double best = 0;
    for (std::uint32_t other = 1; other < 1U << count; ++other)
      best = std::max(best, expected_f1(tree, weights, other));
    EXPECT_NEAR(expected_f1(tree, weights, choice), best, 1e-4);
  }
}

TEST(BlockSelection, DoubtfulPageIsCutMoreLeniently) {
  // The same unit of even chances is left out beside sure content and kept beside doubtful content.
  BlockSelection selection;
  select_units(page_of({1000, 100}), {250, 120}, selection);
  EXPECT_FALSE(selection.chosen[1]);
  select_units(page_of({100, 100}), {130, 120}, selection);
  EXPECT_TRUE(selection.chosen[1]);
}

TEST(BlockModel, TreesAskOnlyForFeaturesThatExist) {
  for (const ObliviousTree& tree : first_stage_model().trees) {
    for (const auto& question : tree.questions) EXPECT_LT(question.feature, block_feature_count());
  }
  for (const ObliviousTree& tree : second_stage_model().trees) {
    for (const auto& question : tree.questions) {
      EXPECT_LT(question.feature, block_feature_count() + context_feature_count());
    }
  }
}

TEST(BlockModel, SumsTreesOfEachUnit) {
  ObliviousTree tree{};
  for (auto& question : tree.questions) question = {0, 255};
  tree.questions[0] = {1, 10};
  tree.answers[0] = -kAnswerUnit;
  tree.answers[1] = 2 * kAnswerUnit;
  const BlockModel model{std::span(&tree, 1), kAnswerUnit / 2};
  FeatureMatrix matrix;
  matrix.reset(2, 100);
  for (std::size_t i = 0; i < 100; ++i) matrix.row(1)[i] = static_cast<std::uint8_t>(i);
  std::vector<BlockWeight> weights;
  weigh_units(model, matrix, weights);
  ASSERT_EQ(weights.size(), 100U);
  EXPECT_EQ(weights[10], kEvenWeight - kWeightSteps / 2);
  EXPECT_EQ(weights[11], kEvenWeight + 2 * kWeightSteps + kWeightSteps / 2);
}

}  // namespace
}  // namespace paraprint
