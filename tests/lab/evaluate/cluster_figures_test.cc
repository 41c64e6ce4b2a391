#include "lab/evaluate/cluster_figures.h"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluate_testing.h"

namespace paraprint {
namespace {

using testing::labelled_set;

// True clusters {0 1 2} {3 4} {5}, found clusters {0 1} {2 3} {4} {5}.
TEST(ClusterFigures, AgreeWithAWorkedExample) {
  const LabelledSet set = labelled_set(6, "p0\tp1\tdup\n", "p0\tx\np1\tx\np2\tx\np3\ty\np4\ty\np5\tz\n", "open");
  FoundPairs found;
  found.pairs = {{0, 1, 0.9F}, {2, 3, 0.8F}, {3, 4, 0.1F}};
  const ClusterFigures figures = cluster_figures(set, found, 0.5);
  EXPECT_EQ(figures.documents, 6U);
  EXPECT_EQ(figures.truth_clusters, 3U);
  EXPECT_EQ(figures.found_clusters, 4U);
  // One common pair, of 4 true and 2 found pairs.
  EXPECT_DOUBLE_EQ(figures.pairs.precision, 0.5);
  EXPECT_DOUBLE_EQ(figures.pairs.recall, 0.25);
  const double expected = 4.0 * 2 / 15;
  EXPECT_DOUBLE_EQ(figures.adjusted_rand, (1 - expected) / (3 - expected));
  // B-cubed precision: 0, 1: 1; 2, 3: 1/2; 4, 5: 1. Recall: 0, 1: 2/3; 2: 1/3; 3, 4: 1/2; 5: 1.
  EXPECT_DOUBLE_EQ(figures.bcubed.precision, 5.0 / 6);
  EXPECT_NEAR(figures.bcubed.recall, (2.0 / 3 + 2.0 / 3 + 1.0 / 3 + 0.5 + 0.5 + 1) / 6, 1e-15);
  const double truth_entropy = -(0.5 * std::log(0.5) + std::log(1.0 / 3) / 3 + std::log(1.0 / 6) / 6);
  const double left = std::log(2.0) / 3;  // entropy of the true clusters within {2 3}, a third of the pages
  EXPECT_NEAR(figures.homogeneity, 1 - left / truth_entropy, 1e-12);
}

TEST(ClusterFigures, AreOneForPerfectAgreement) {
  const LabelledSet set = labelled_set(4, "p0\tp1\tdup\n", "p0\tx\np1\tx\np2\ty\np3\tz\n", "open");
  FoundPairs found;
  found.representatives = {0, 0, 2, 3};
  const ClusterFigures figures = cluster_figures(set, found, 0.5);
  EXPECT_DOUBLE_EQ(figures.adjusted_rand, 1);
  EXPECT_DOUBLE_EQ(figures.v_measure, 1);
  EXPECT_DOUBLE_EQ(figures.bcubed.f1, 1);
}

}  // namespace
}  // namespace paraprint
