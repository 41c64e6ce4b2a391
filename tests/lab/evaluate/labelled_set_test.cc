#include "lab/evaluate/labelled_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluate_testing.h"

namespace paraprint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::labelled_set;

TEST(LabelledSet, ReportsTheLineOfAnUnknownId) {
  const testing::ScratchFile labels("labels.tsv", "p0\tp1\tdup\np1\tp7\tdiff\n");
  const Result<LabelFile> file = read_label_file(labels.path(), "", "");
  ASSERT_TRUE(file);
  const Result<LabelledSet> set =
      bind_labels(*file, 2, "open", 1, [](std::string_view id) { return testing::page_number(id, 2); });
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(set.error().message, HasSubstr("line 2: no page has the id 'p7'"));
}

TEST(LabelledSet, PairsWithinAClusterAreCopies) {
  const LabelledSet set = labelled_set(5, "p3\tx\np0\tx\np1\ty\np4\tx\n", "", "");
  EXPECT_TRUE(set.is_closed);
  EXPECT_EQ(set.counts.near, 3U);
  ASSERT_EQ(set.pairs.size(), 3U);
  EXPECT_EQ(set.pairs[0].page_a, 0U);
  EXPECT_EQ(set.pairs[0].page_b, 3U);
  EXPECT_EQ(set.pairs[2].page_a, 3U);
  EXPECT_EQ(set.pairs[2].page_b, 4U);
}

TEST(LabelledSet, UnitsJoinPagesLinkedByAnyLabelButDiff) {
  const LabelledSet set =
      labelled_set(7, "p0\tp1\tdup\np1\tp2\ttopic\np2\tp3\tdiff\n", "p3\tx\np5\tx\np6\ty\n", "open");
  EXPECT_EQ(set.units, 4U);
  EXPECT_THAT(set.unit_of_page, ElementsAre(0U, 0U, 0U, 1U, 2U, 1U, 3U));
  // A pair across units belongs to one of them.
  const std::uint32_t unit = set.unit_of_pair(2, 3);
  EXPECT_TRUE(unit == 0 || unit == 1);
  EXPECT_EQ(unit, set.unit_of_pair(3, 2));
}

TEST(LabelledSet, SeedDividesUnitsIntoAboutEqualHalves) {
  std::string labels;
  constexpr std::uint32_t kUnits = 2000;
  for (std::uint32_t i = 0; i < kUnits; ++i) {
    labels += "p" + std::to_string(2 * i) + "\tp" + std::to_string(2 * i + 1) + "\tdup\n";
  }
  const LabelledSet first = labelled_set(2 * kUnits, labels, "", "open", 1);
  const LabelledSet again = labelled_set(2 * kUnits, labels, "", "open", 1);
  const LabelledSet other = labelled_set(2 * kUnits, labels, "", "open", 2);
  EXPECT_EQ(first.is_test_unit, again.is_test_unit);
  EXPECT_NE(first.is_test_unit, other.is_test_unit);
  const auto in_test = std::count(first.is_test_unit.begin(), first.is_test_unit.end(), 1);
  EXPECT_NEAR(static_cast<double>(in_test), kUnits / 2.0, 100);  // 4.5 standard deviations
}

TEST(LabelledSet, CollectsEditsOfBothPagesAndTheKind) {
  const LabelledSet set = labelled_set(3,
                                       "id_a\tid_b\tlabel\tedits\tstrengths\tkind\n"
                                       "p0\tp1\tnear\toriginal|typos+template\t-|0.1+0.2\t\n"
                                       "p0\tp2\tdiff\toriginal|original\t-|-\tsame-site\n",
                                       "", "");
  EXPECT_THAT(set.edit_names, ElementsAre("typos", "template", "same-site"));
  EXPECT_THAT(set.edit_lists[set.pairs[0].edits], ElementsAre(0U, 1U));
  EXPECT_THAT(set.edit_lists[set.pairs[1].edits], ElementsAre(2U));
}

// In the order of first use, however often an edit recurs in one row or in several.
TEST(LabelledSet, ListsEachEditOfARowOnce) {
  const LabelledSet set = labelled_set(4,
                                       "id_a\tid_b\tlabel\tedits\n"
                                       "p0\tp1\tnear\tocr+typos+ocr|typos+cut\n"
                                       "p0\tp2\tnear\tcut+ocr|cut\n"
                                       "p0\tp3\tnear\tcut+new|new\n",
                                       "", "");
  EXPECT_THAT(set.edit_names, ElementsAre("ocr", "typos", "cut", "new"));
  EXPECT_THAT(set.edit_lists[set.pairs[0].edits], ElementsAre(0U, 1U, 2U));
  EXPECT_THAT(set.edit_lists[set.pairs[1].edits], ElementsAre(2U, 0U));
  EXPECT_THAT(set.edit_lists[set.pairs[2].edits], ElementsAre(2U, 3U));
  EXPECT_EQ(set.edit_counts[set.pairs[0].edits], 5U);
}

TEST(LabelledSet, IgnoresStrengthsOfEdits) {
  const LabelledSet set = labelled_set(
      3, "id_a\tid_b\tlabel\tedits\np0\tp1\tnear\ttypos=0.2+truncation\np0\tp2\tnear\ttypos=0.9\n", "", "");
  EXPECT_THAT(set.edit_names, ElementsAre("typos", "truncation"));
  EXPECT_THAT(set.edit_lists[set.pairs[0].edits], ElementsAre(0U, 1U));
  EXPECT_THAT(set.edit_lists[set.pairs[1].edits], ElementsAre(0U));
}

}  // namespace
}  // namespace paraprint
