// Compares the figures with values computed by hand.
#include "lab/evaluate/pairwise_figures.h"

#include <gtest/gtest.h>

#include "evaluate_testing.h"

namespace paraprint {
namespace {

using testing::labelled_set;

constexpr std::string_view kPairLabels =
    "p0\tp1\tdup\n"
    "p0\tp2\tnear\n"
    "p1\tp2\tnear\n"
    "p3\tp4\tnear\n"
    "p0\tp3\ttopic\n"
    "p0\tp5\tdiff\n"
    "p4\tp5\tdiff\n";

// p0 and p1 have the same text. Scores: (0, 2) 0.8, hence also (1, 2); (0, 3) 0.7, labelled topic, and (1, 3) without a
// label; (4, 5) 0.6, labelled diff; (3, 4) is not found.
FoundPairs found_pairs() {
  FoundPairs found;
  found.representatives = {0, 0, 2, 3, 4, 5};
  found.pairs = {{0, 2, 0.8F}, {0, 3, 0.7F}, {4, 5, 0.6F}};
  return found;
}

TEST(PairwiseFigures, UnlabelledPairsAreIgnoredInAnOpenWorld) {
  const LabelledSet set = labelled_set(6, kPairLabels, "", "open");
  const PairOutcomes outcomes = judge_pairs(set, found_pairs());
  const PairwiseFigures all = pairwise_figures(set, outcomes, 0.5, PairPart::kAll);
  EXPECT_EQ(all.true_positives, 3U);
  EXPECT_EQ(all.false_negatives, 1U);
  EXPECT_EQ(all.false_positives_lenient, 1U);
  EXPECT_EQ(all.false_positives_strict, 2U);
  EXPECT_EQ(all.reported_unlabelled, 1U);
  EXPECT_EQ(all.reported_pairs, 6U);
  EXPECT_DOUBLE_EQ(all.lenient.precision, 3.0 / 4);
  EXPECT_DOUBLE_EQ(all.lenient.recall, 3.0 / 4);
  EXPECT_DOUBLE_EQ(all.lenient.f1, 3.0 / 4);
  EXPECT_DOUBLE_EQ(all.strict.precision, 3.0 / 5);
  EXPECT_DOUBLE_EQ(all.strict.f1, 2 * 0.6 * 0.75 / 1.35);
  const PairwiseFigures high = pairwise_figures(set, outcomes, 0.75, PairPart::kAll);
  EXPECT_EQ(high.true_positives, 3U);
  EXPECT_EQ(high.false_positives_strict, 0U);
}

TEST(PairwiseFigures, UnlabelledPairsAreWrongInAClosedWorld) {
  const LabelledSet set = labelled_set(6, kPairLabels, "", "closed");
  const PairOutcomes outcomes = judge_pairs(set, found_pairs());
  const PairwiseFigures all = pairwise_figures(set, outcomes, 0.5, PairPart::kAll);
  EXPECT_EQ(all.false_positives_lenient, 2U);
  EXPECT_EQ(all.false_positives_strict, 3U);
  EXPECT_DOUBLE_EQ(all.lenient.precision, 3.0 / 5);
}

// Among 92,683 pages of equal text there are more than 2^32 pairs, as there are between two groups of 65,536.
TEST(PairwiseFigures, CountPairsOfManyEqualPages) {
  constexpr std::uint32_t kPages = 100'000;
  constexpr std::uint32_t kOthers = 70'000;
  const LabelledSet set = labelled_set(kPages + kOthers, "p0\tp1\tdup\n", "", "closed");
  FoundPairs found;
  found.representatives.assign(kPages, 0);
  found.representatives.resize(kPages + kOthers, kPages);
  found.pairs = {{0, kPages, 0.8F}};
  constexpr std::uint64_t kEqualPairs =
      std::uint64_t{kPages} * (kPages - 1) / 2 + std::uint64_t{kOthers} * (kOthers - 1) / 2;
  const PairOutcomes outcomes = judge_pairs(set, found);
  const PairwiseFigures equal = pairwise_figures(set, outcomes, 0.9, PairPart::kAll);
  EXPECT_EQ(equal.true_positives, 1U);
  EXPECT_EQ(equal.reported_pairs, kEqualPairs);
  EXPECT_EQ(equal.false_positives_lenient, kEqualPairs - 1);
  const PairwiseFigures all = pairwise_figures(set, outcomes, 0.5, PairPart::kAll);
  EXPECT_EQ(all.reported_pairs, kEqualPairs + std::uint64_t{kPages} * kOthers);
}

TEST(PairwiseFigures, ThresholdsAreComparedInSinglePrecision) {
  const LabelledSet set = labelled_set(2, "p0\tp1\tdup\n", "", "open");
  FoundPairs found;
  found.pairs = {{0, 1, 0.55F}};
  EXPECT_EQ(pairwise_figures(set, judge_pairs(set, found), 0.55, PairPart::kAll).true_positives, 1U);
}

TEST(ThresholdSweep, AddsPairsOfEqualScoreTogether) {
  const LabelledSet set = labelled_set(6, kPairLabels, "", "closed");
  // Lenient: 1.0: 1 right (P 1, R 1/4); 0.8: 3 right (P 1, R 3/4); 0.7: 1 unlabelled, so wrong (P 3/4); 0.6: 1 wrong.
  const ThresholdSweep lenient =
      sweep_thresholds(set, judge_pairs(set, found_pairs()), TopicPairs::kIgnored, PairPart::kAll);
  EXPECT_DOUBLE_EQ(lenient.average_precision, 0.75);
  EXPECT_DOUBLE_EQ(lenient.best.f1, 2 * 0.75 / 1.75);
  EXPECT_FLOAT_EQ(static_cast<float>(lenient.best.threshold), 0.8F);
  ASSERT_EQ(lenient.curve.size(), 4U);
  EXPECT_DOUBLE_EQ(lenient.curve[2].precision, 3.0 / 4);
  EXPECT_DOUBLE_EQ(lenient.curve[3].precision, 3.0 / 5);
  const ThresholdSweep strict =
      sweep_thresholds(set, judge_pairs(set, found_pairs()), TopicPairs::kWrong, PairPart::kAll);
  EXPECT_DOUBLE_EQ(strict.curve[2].precision, 3.0 / 5);
}

TEST(ThresholdSweep, IsEmptyWithoutScores) {
  const LabelledSet set = labelled_set(6, kPairLabels, "", "open");
  const ThresholdSweep sweep = sweep_thresholds(set, judge_pairs(set, {}), TopicPairs::kIgnored, PairPart::kAll);
  EXPECT_TRUE(sweep.curve.empty());
  EXPECT_EQ(sweep.best.f1, 0);
  EXPECT_EQ(sweep.average_precision, 0);
}

TEST(ThresholdSweep, ThinsLongCurvesWithoutChangingTheirFigures) {
  std::string labels;
  FoundPairs found;
  constexpr std::uint32_t kPairs = 2000;
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    labels += "p" + std::to_string(2 * i) + "\tp" + std::to_string(2 * i + 1) + "\tdup\n";
    found.pairs.push_back({2 * i, 2 * i + 1, 1 - static_cast<float>(i) / (2 * kPairs)});
  }
  const LabelledSet set = labelled_set(2 * kPairs, labels, "", "open");
  const ThresholdSweep sweep = sweep_thresholds(set, judge_pairs(set, found), TopicPairs::kIgnored, PairPart::kAll);
  EXPECT_EQ(sweep.curve.size(), kCurvePointsMaximum);
  EXPECT_DOUBLE_EQ(sweep.curve.back().recall, 1);
  EXPECT_NEAR(sweep.average_precision, 1, 1e-12);
}

TEST(PairParts, AddUpToTheWhole) {
  const LabelledSet set = labelled_set(6, kPairLabels, "", "closed", 3);
  const PairOutcomes outcomes = judge_pairs(set, found_pairs());
  const PairwiseFigures all = pairwise_figures(set, outcomes, 0.5, PairPart::kAll);
  const PairwiseFigures train = pairwise_figures(set, outcomes, 0.5, PairPart::kTrain);
  const PairwiseFigures test = pairwise_figures(set, outcomes, 0.5, PairPart::kTest);
  EXPECT_EQ(train.true_positives + test.true_positives, all.true_positives);
  EXPECT_EQ(train.false_negatives + test.false_negatives, all.false_negatives);
  EXPECT_EQ(train.false_positives_strict + test.false_positives_strict, all.false_positives_strict);
}

}  // namespace
}  // namespace paraprint
