// Intervals of stratified samples: against the formula for one share, against exact values, and at the ends of the
// range.
#include "lab/judge/stratified_share.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace paraprint {
namespace {

constexpr std::uint64_t kEndless = std::uint64_t{1} << 40;
constexpr double kChiSquare = 3.841458820694124;  // 95 %, one degree of freedom

// Twice the logarithm of the likelihood ratio of a share p in n trials with the share s.
double ratio(double n, double s, double p) {
  return 2 * n * ((s > 0 ? s * std::log(s / p) : 0) + (s < 1 ? (1 - s) * std::log((1 - s) / (1 - p)) : 0));
}

TEST(StratifiedShareTest, OneLargeGroupHasTheLikelihoodIntervalOfAShare) {
  for (const auto& [copies, judged] : {std::pair<std::uint64_t, std::uint64_t>{5, 10}, {1, 40}, {97, 100}}) {
    const std::vector<JudgedGroup> groups = {{kEndless, 0, judged, copies}};
    const JudgedShare share = share_of_copies(groups);
    const double expected = static_cast<double>(copies) / static_cast<double>(judged);
    const auto trials = static_cast<double>(judged - 1);
    ASSERT_TRUE(share.is_known);
    EXPECT_NEAR(share.estimate, expected, 1e-12);
    EXPECT_NEAR(ratio(trials, expected, share.interval.low), kChiSquare, 1e-6) << copies << " of " << judged;
    EXPECT_NEAR(ratio(trials, expected, share.interval.high), kChiSquare, 1e-6) << copies << " of " << judged;
    EXPECT_LT(share.interval.low, expected);
    EXPECT_GT(share.interval.high, expected);
  }
}

TEST(StratifiedShareTest, IntervalsReachTheEndsOfTheRange) {
  const JudgedShare all = share_of_copies(std::vector<JudgedGroup>{{kEndless, 0, 21, 21}});
  EXPECT_NEAR(all.interval.low, std::exp(-kChiSquare / 40), 1e-9);
  EXPECT_EQ(all.interval.high, 1);
  const JudgedShare none = share_of_copies(std::vector<JudgedGroup>{{kEndless, 0, 21, 0}});
  EXPECT_EQ(none.interval.low, 0);
  EXPECT_NEAR(none.interval.high, 1 - std::exp(-kChiSquare / 40), 1e-9);
}

// Strata that are alike are one sample, apart from the pair that each of them counts less.
TEST(StratifiedShareTest, EqualStrataAreOneSample) {
  const std::vector<JudgedGroup> parts(10, {kEndless, 0, 10, 9});
  const JudgedShare share = share_of_copies(parts);
  EXPECT_NEAR(share.estimate, 0.9, 1e-12);
  EXPECT_NEAR(ratio(90, 0.9, share.interval.low), kChiSquare, 1e-6);
  EXPECT_NEAR(ratio(90, 0.9, share.interval.high), kChiSquare, 1e-6);
}

TEST(StratifiedShareTest, WithAllPairsJudgedTheValueIsExact) {
  const std::vector<JudgedGroup> groups = {{7, 0, 7, 6}, {0, 5, 5, 2}, {3, 0, 3, 0}};
  const JudgedShare precision = share_of_copies(groups);
  EXPECT_DOUBLE_EQ(precision.estimate, 0.6);
  EXPECT_NEAR(precision.interval.low, 0.6, 1e-9);
  EXPECT_NEAR(precision.interval.high, 0.6, 1e-9);
  const JudgedShare recall = share_inside(groups);
  EXPECT_DOUBLE_EQ(recall.estimate, 0.75);
  EXPECT_NEAR(recall.interval.low, 0.75, 1e-9);
  EXPECT_NEAR(recall.interval.high, 0.75, 1e-9);
}

TEST(StratifiedShareTest, LargeStrataWeighMore) {
  // 900 pairs at 1/2, 100 pairs at 1.
  const std::vector<JudgedGroup> groups = {{900, 0, 10, 5}, {100, 0, 10, 10}};
  const JudgedShare share = share_of_copies(groups);
  EXPECT_DOUBLE_EQ(share.estimate, 0.55);
  EXPECT_LT(share.interval.low, 0.35);
  EXPECT_GT(share.interval.high, 0.75);
}

TEST(StratifiedShareTest, JudgingMoreNarrowsTheInterval) {
  double last_width = 1;
  for (const std::uint64_t judged : {10U, 50U, 90U, 99U, 100U}) {
    const std::vector<JudgedGroup> groups = {{100, 0, judged, judged / 2}};
    const Interval interval = share_of_copies(groups).interval;
    EXPECT_LT(interval.high - interval.low, last_width);
    last_width = interval.high - interval.low;
  }
  EXPECT_NEAR(last_width, 0, 1e-9);
}

TEST(StratifiedShareTest, RecallOfAllCopiesEndsAtOne) {
  const std::vector<JudgedGroup> groups = {{500, 0, 20, 18}, {0, 100, 20, 0}};
  const JudgedShare share = share_inside(groups);
  EXPECT_EQ(share.estimate, 1);
  EXPECT_EQ(share.interval.high, 1);
  // At most about 17 of the 100 are copies, beside some 450.
  EXPECT_GT(share.interval.low, 0.94);
  EXPECT_LT(share.interval.low, 0.99);
}

// One copy among ten of ten million pairs below the threshold outweighs everything above it.
TEST(StratifiedShareTest, ALargeUnfoundStratumMakesRecallUncertain) {
  const std::vector<JudgedGroup> none = {{1000, 0, 50, 50}, {0, 10'000'000, 20, 0}};
  EXPECT_EQ(share_inside(none).estimate, 1);
  EXPECT_LT(share_inside(none).interval.low, 0.01);
  const std::vector<JudgedGroup> one = {{1000, 0, 50, 50}, {0, 10'000'000, 20, 1}};
  EXPECT_LT(share_inside(one).estimate, 0.01);
  EXPECT_LT(share_inside(one).interval.high, 0.2);
}

TEST(StratifiedShareTest, NothingToTakeAShareOf) {
  const std::vector<JudgedGroup> outside = {{0, 10, 5, 5}};
  EXPECT_FALSE(share_of_copies(outside).is_known);
  const std::vector<JudgedGroup> no_copy = {{10, 10, 5, 0}};
  EXPECT_FALSE(share_inside(no_copy).is_known);
  EXPECT_EQ(share_of_copies(no_copy).estimate, 0);
}

}  // namespace
}  // namespace paraprint
