#include "cluster/pair_rulings.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

TEST(PairRulings, AreFoundInEitherOrder) {
  PairRulings rulings;
  rulings.add(9, 2, PairRuling::kNever);
  rulings.add(1, 7, PairRuling::kAlways);
  rulings.add(2, 9, PairRuling::kNever);
  EXPECT_EQ(rulings.finish(), std::nullopt);
  EXPECT_EQ(rulings.pairs().size(), 2U);
  EXPECT_EQ(rulings.find(2, 9), PairRuling::kNever);
  EXPECT_EQ(rulings.find(7, 1), PairRuling::kAlways);
  EXPECT_EQ(rulings.find(1, 9), PairRuling::kNone);
}

TEST(PairRulings, DecideVerdictsAndLeaveScores) {
  PairRulings rulings;
  rulings.add(1, 2, PairRuling::kNever);
  rulings.add(1, 3, PairRuling::kAlways);
  EXPECT_EQ(rulings.finish(), std::nullopt);
  Match match;
  match.page_a = 1;
  match.resemblance = 0.5F;
  match.verdict = Verdict::kOverlap;
  for (const auto& [page, verdict] :
       {std::pair(2U, Verdict::kDistinct), std::pair(3U, Verdict::kNear), std::pair(4U, Verdict::kOverlap)}) {
    Match ruled = match;
    ruled.page_b = page;
    rulings.decide(ruled);
    EXPECT_EQ(ruled.verdict, verdict);
    EXPECT_EQ(ruled.resemblance, 0.5F);
  }
}

TEST(PairRulings, TellWhichPairHasBoth) {
  PairRulings rulings;
  rulings.add(4, 5, PairRuling::kNever);
  rulings.add(1, 2, PairRuling::kNever);
  rulings.add(5, 4, PairRuling::kAlways);
  EXPECT_EQ(rulings.finish(), std::pair(4U, 5U));
}

}  // namespace
}  // namespace paraprint
