#include "engine/word_alignment.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

Match match_of(std::uint32_t page_a, std::uint32_t page_b, float resemblance, Verdict verdict) {
  Match match;
  match.page_a = page_a;
  match.page_b = page_b;
  match.resemblance = resemblance;
  match.containment_a = match.containment_b = resemblance;
  match.matched_characters = 500;
  match.verdict = verdict;
  return match;
}

TEST(WordAlignments, FindPairsInEitherOrder) {
  WordAlignments alignments(nullptr);
  ASSERT_TRUE(alignments.add(1, 7, 0.25F));
  ASSERT_TRUE(alignments.add(2, 3, 0.5F));
  ASSERT_TRUE(alignments.add(2, 9, 0.75F));
  EXPECT_EQ(alignments.size(), 3U);
  EXPECT_EQ(alignments.find(1, 7), 0.25F);
  EXPECT_EQ(alignments.find(3, 2), 0.5F);
  EXPECT_EQ(alignments.find(9, 2), 0.75F);
  EXPECT_FALSE(alignments.find(2, 7));
  EXPECT_FALSE(alignments.find(0, 0));
  EXPECT_FALSE(alignments.find(5, 9));
}

TEST(WordAlignments, MeanDecidesTheVerdict) {
  const MatchOptions options;  // near from 0.55
  WordAlignments alignments(nullptr);
  ASSERT_TRUE(alignments.add(1, 2, 0.62F));
  ASSERT_TRUE(alignments.add(1, 3, 0.40F));
  Match rises = match_of(1, 2, 0.50F, Verdict::kOverlap);
  alignments.decide(rises, options);
  EXPECT_EQ(rises.verdict, Verdict::kNear);
  EXPECT_EQ(rises.resemblance, 0.50F) << "scores are unchanged";
  Match falls = match_of(3, 1, 0.58F, Verdict::kNear);
  alignments.decide(falls, options);
  EXPECT_EQ(falls.verdict, Verdict::kOverlap);
  Match other = match_of(2, 3, 0.50F, Verdict::kOverlap);
  alignments.decide(other, options);
  EXPECT_EQ(other.verdict, Verdict::kOverlap) << "not aligned";
}

TEST(WordAlignments, ApplyOnlyNearTheThreshold) {
  const MatchOptions options;
  EXPECT_FALSE(is_near_decision(match_of(1, 2, 0.34F, Verdict::kOverlap), options));
  EXPECT_TRUE(is_near_decision(match_of(1, 2, 0.36F, Verdict::kOverlap), options));
  EXPECT_TRUE(is_near_decision(match_of(1, 2, 0.59F, Verdict::kNear), options));
  EXPECT_FALSE(is_near_decision(match_of(1, 2, 0.61F, Verdict::kNear), options));
  EXPECT_FALSE(is_near_decision(match_of(1, 2, 0.50F, Verdict::kSame), options)) << "equal texts are not doubtful";
}

}  // namespace
}  // namespace paraprint
