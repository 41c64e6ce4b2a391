// Selection by expected F1 compared with its definition in floating point, and the trees with a scalar loop.
#include "extract/block_selection.h"

#include <gtest/gtest.h>

#include <random>

#include "extract/block_features.h"
#include "extract/block_model.h"
#include "extract/tree_evaluator.h"

namespace paraprint {
namespace {

constexpr double kCertain = 65535.0;

PageTree page_of(const std::vector<std::uint32_t>& tokens) {
  PageTree tree;
  for (const std::uint32_t count : tokens) tree.units.emplace_back().text.tokens = count;
  return tree;
}

// Expected F1 of choosing all units of at least weight `border`, straight from the definition.
double expected_f1(const PageTree& tree, const std::vector<BlockWeight>& weights, int border) {
  double value = 0;
  for (std::size_t s = 0; s < kScenarioCount; ++s) {
    double content = 0;
    double chosen_content = 0;
    double chosen = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double expected = tree.units[i].text.tokens * kScenarioProbability[s][weights[i]] / kCertain;
      content += expected;
      if (weights[i] >= border) {
        chosen_content += expected;
        chosen += tree.units[i].text.tokens;
      }
    }
    value += kScenarioPercent[s] / 100.0 * 2 * chosen_content / (content + chosen);
  }
  return value;
}

TEST(BlockSelection, ChoosesThresholdOfBestExpectedF1) {
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
    int border = 256;
    for (std::size_t i = 0; i < count; ++i) {
      if (selection.chosen[i]) border = std::min<int>(border, weights[i]);
    }
    double best = 0;
    for (const BlockWeight other : weights) best = std::max(best, expected_f1(tree, weights, other));
    EXPECT_NEAR(expected_f1(tree, weights, border), best, 1e-4);
    EXPECT_NEAR(selection.expected_f1 / kCertain, best, 1e-3);
  }
}

TEST(BlockSelection, ThresholdIsLenientOnDoubtfulPages) {
  // The same unit is dropped next to certain content and kept next to doubtful content.
  BlockSelection selection;
  select_units(page_of({1000, 100}), {250, 118}, selection);
  EXPECT_FALSE(selection.chosen[1]);
  select_units(page_of({100, 100}), {130, 118}, selection);
  EXPECT_TRUE(selection.chosen[1]);
}

TEST(BlockSelection, LongDoubtfulTailIsNotChosenForItsSize) {
  // An article with comments many times as long, each of which is content with a probability of one fifth.
  BlockSelection selection;
  select_units(page_of({300, 1500, 1500}), {220, 106, 106}, selection);
  EXPECT_TRUE(selection.chosen[0]);
  EXPECT_FALSE(selection.chosen[1]);
}

TEST(BlockModel, TreesUseOnlyExistingFeatures) {
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
  ObliviousTree::Questions questions;
  for (auto& question : questions) question = {0, 255};
  questions[0] = {1, 10};
  ObliviousTree::Answers answers{};
  answers[0] = -kAnswerUnit;
  answers[1] = 2 * kAnswerUnit;
  const ObliviousTree tree(questions, answers);
  const BlockModel model{std::span(&tree, 1), kAnswerUnit / 2};
  FeatureMatrix matrix;
  matrix.reset(2, 100);
  for (std::size_t i = 0; i < 100; ++i) matrix.row(1)[i] = static_cast<std::uint8_t>(i);
  std::vector<BlockWeight> weights;
  StopCheck never;
  ASSERT_TRUE(weigh_units(model, matrix, weights, never));
  ASSERT_EQ(weights.size(), 100U);
  EXPECT_EQ(weights[10], kEvenWeight - kWeightSteps / 2);
  EXPECT_EQ(weights[11], kEvenWeight + 2 * kWeightSteps + kWeightSteps / 2);
}

TEST(TreeEvaluator, VectorSumsEqualScalarSums) {
  std::mt19937 random(11);
  constexpr std::size_t kFeatures = 20;
  std::vector<ObliviousTree> trees;
  for (int t = 0; t < 100; ++t) {
    ObliviousTree::Questions questions;
    for (auto& question : questions) {
      question = {static_cast<std::uint16_t>(random() % kFeatures), static_cast<std::uint8_t>(random() % 256)};
    }
    ObliviousTree::Answers answers;
    for (auto& answer : answers) answer = static_cast<std::int16_t>(random() % 4000 - 2000);
    trees.emplace_back(questions, answers);
  }
  for (const std::size_t units : {1, 63, 64, 65, 500}) {
    FeatureMatrix matrix;
    matrix.reset(kFeatures, units);
    for (std::size_t f = 0; f < kFeatures; ++f) {
      for (std::size_t i = 0; i < units; ++i) matrix.row(f)[i] = static_cast<std::uint8_t>(random() % 256);
    }
    std::vector<std::int16_t> fast(matrix.row_size());
    std::vector<std::int16_t> plain(matrix.row_size());
    sum_answers(trees, -100, matrix, 0, matrix.row_size(), fast.data());
    sum_answers_plainly(trees, -100, matrix, 0, matrix.row_size(), plain.data());
    EXPECT_EQ(fast, plain);
  }
}

}  // namespace
}  // namespace paraprint
