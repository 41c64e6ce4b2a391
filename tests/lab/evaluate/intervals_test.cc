#include "lab/evaluate/intervals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluate_testing.h"

namespace paraprint {
namespace {

using testing::labelled_set;

// Newcombe (1998): the lower end at n of n is n / (n + z^2).
TEST(WilsonInterval, MatchesPublishedValues) {
  const Interval half = wilson_interval(5, 10);
  EXPECT_NEAR(half.low, 0.2365931, 1e-6);
  EXPECT_NEAR(half.high, 0.7634069, 1e-6);
  const Interval all = wilson_interval(20, 20);
  EXPECT_NEAR(all.low, 20 / (20 + 1.959964 * 1.959964), 1e-6);
  EXPECT_DOUBLE_EQ(all.high, 1);
  EXPECT_DOUBLE_EQ(wilson_interval(0, 20).low, 0);
  EXPECT_DOUBLE_EQ(wilson_interval(0, 0).high, 1);
}

// 400 independent pairs, 300 of them found, none wrong: recall is binomial, F1 = 2R/(1+R).
TEST(BootstrapF1, AgreesWithTheBinomialIfUnitsAreSinglePairs) {
  std::string labels;
  FoundPairs found;
  constexpr std::uint32_t kPairs = 400;
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    labels += "p" + std::to_string(2 * i) + "\tp" + std::to_string(2 * i + 1) + "\tnear\n";
    if (i % 4 != 0) found.pairs.push_back({2 * i, 2 * i + 1, 0.9F});
  }
  const LabelledSet set = labelled_set(2 * kPairs, labels, "", "open");
  const PairOutcomes outcomes = judge_pairs(set, found);
  const F1Intervals intervals = bootstrap_f1(set, outcomes, 0.5, PairPart::kAll, 1, 4000);
  const Interval recall = wilson_interval(300, 400);
  const auto f1_of = [](double value) { return 2 * value / (1 + value); };
  EXPECT_NEAR(intervals.lenient.low, f1_of(recall.low), 0.008);
  EXPECT_NEAR(intervals.lenient.high, f1_of(recall.high), 0.008);
  const F1Intervals again = bootstrap_f1(set, outcomes, 0.5, PairPart::kAll, 1, 4000);
  EXPECT_EQ(intervals.lenient.low, again.lenient.low);
}

// The same pairs in ten clusters instead of many: the interval must be wider.
TEST(BootstrapF1, IsWiderIfPairsComeInClusters) {
  std::string labels;
  FoundPairs found;
  constexpr std::uint32_t kClusters = 10;
  constexpr std::uint32_t kMembers = 9;  // 36 pairs
  for (std::uint32_t cluster = 0; cluster < kClusters; ++cluster) {
    for (std::uint32_t a = 0; a < kMembers; ++a) {
      labels += "p" + std::to_string(cluster * kMembers + a) + "\tc" + std::to_string(cluster) + "\n";
      for (std::uint32_t b = a + 1; b < kMembers; ++b) {
        if (cluster % 4 != 0) found.pairs.push_back({cluster * kMembers + a, cluster * kMembers + b, 0.9F});
      }
    }
  }
  const LabelledSet set = labelled_set(kClusters * kMembers, labels, "", "");
  const Interval f1 = bootstrap_f1(set, judge_pairs(set, found), 0.5, PairPart::kAll, 1, 1000).lenient;
  EXPECT_GT(f1.high - f1.low, 0.25);
}

}  // namespace
}  // namespace paraprint
