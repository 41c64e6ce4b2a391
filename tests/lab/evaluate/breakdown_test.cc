#include "lab/evaluate/breakdown.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "evaluate_testing.h"

namespace paraprint {
namespace {

using testing::labelled_set;

constexpr std::string_view kLabels =
    "id_a\tid_b\tlabel\tedits\n"
    "p0\tp1\tdup\tcopy\n"
    "p0\tp2\tnear\ttypos=0.1\n"
    "p1\tp2\tnear\ttypos=0.1+ocr\n"
    "p0\tp4\ttopic\ttypos\n"
    "p3\tp4\tdiff\tformula\n";

LabelledSet sample_set() {
  LabelledSet set = labelled_set(5, kLabels, "", "closed");
  set.language_names = {"zh", "en"};
  set.language_of_page = {0, 0, 0, 1, 1};
  return set;
}

FoundPairs sample_found() {
  FoundPairs found;
  found.representatives = {0, 0, 2, 3, 4};
  found.pairs = {{0, 2, 0.6F}, {0, 3, 0.9F}, {3, 4, 0.8F}};
  return found;
}

TEST(Breakdown, CountsAPairForEachOfItsEdits) {
  const LabelledSet set = sample_set();
  const auto groups = figures_by_edit(set, judge_pairs(set, sample_found()), 0.5);
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(groups[0].name, "copy");
  EXPECT_EQ(groups[0].reported.duplicate, 1U);
  EXPECT_EQ(groups[1].name, "formula");
  EXPECT_EQ(groups[1].reported.different, 1U);
  EXPECT_EQ(groups[2].name, "ocr");
  EXPECT_EQ(groups[2].labelled.near, 1U);
  EXPECT_EQ(groups[3].name, "typos");
  EXPECT_EQ(groups[3].labelled.near, 2U);
  EXPECT_EQ(groups[3].labelled.topic, 1U);
  EXPECT_EQ(groups[3].reported.topic, 0U);
}

std::vector<std::string> names_of(const std::vector<GroupFigures>& groups) {
  std::vector<std::string> names;
  for (const GroupFigures& group : groups) names.push_back(group.name);
  return names;
}

// Edits of both pages count; "original" and the kind of a pair do not.
TEST(Breakdown, SeparatesSingleEditsFromCombinations) {
  const LabelledSet set = labelled_set(6,
                                       "id_a\tid_b\tlabel\tedits\tkind\n"
                                       "p0\tp1\tdup\toriginal|template\tcopy\n"
                                       "p0\tp2\tnear\toriginal|typos=0.1\tcopy\n"
                                       "p1\tp2\tnear\ttemplate|typos=0.1\tcopies\n"
                                       "p2\tp3\tnear\ttypos=0.1|typos=0.2\tcopies\n"
                                       "p1\tp3\tnear\ttemplate|typos=0.2+ocr\tcopies\n"
                                       "p4\tp5\tdiff\toriginal|original\tsame-site\n",
                                       "", "closed");
  FoundPairs found;
  found.pairs = {{0, 1, 0.9F}, {1, 3, 0.9F}, {2, 3, 0.9F}, {4, 5, 0.9F}};
  const PairOutcomes outcomes = judge_pairs(set, found);
  EXPECT_EQ(names_of(figures_by_edit(set, outcomes, 0.5)),
            (std::vector<std::string>{"copies", "copy", "ocr", "same-site", "template", "typos"}));

  const auto alone = figures_by_edit_alone(set, outcomes, 0.5);
  ASSERT_EQ(names_of(alone), (std::vector<std::string>{"template", "typos"}));
  EXPECT_EQ(alone[0].labelled.duplicate, 1U);
  EXPECT_EQ(alone[0].reported.duplicate, 1U);
  EXPECT_EQ(alone[0].labelled.near, 0U);
  EXPECT_EQ(alone[1].labelled.near, 1U);
  EXPECT_EQ(alone[1].reported.near, 0U);

  const auto counts = figures_by_edit_count(set, outcomes, 0.5);
  ASSERT_EQ(names_of(counts), (std::vector<std::string>{"1 edit", "2 edits", "3 edits or more"}));
  EXPECT_EQ(counts[0].labelled.positives(), 2U);
  EXPECT_EQ(counts[0].reported.positives(), 1U);
  EXPECT_EQ(counts[1].labelled.positives(), 2U);
  EXPECT_EQ(counts[1].reported.positives(), 1U);
  EXPECT_EQ(counts[2].labelled.positives(), 1U);
  EXPECT_EQ(counts[2].reported.positives(), 1U);
}

TEST(Breakdown, ByLanguageCountsUnlabelledPairsOfEqualTexts) {
  const LabelledSet set = sample_set();
  const auto groups = figures_by_language(set, judge_pairs(set, sample_found()), sample_found(), 0.5);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].name, "en");
  EXPECT_EQ(groups[0].reported.different, 1U);
  EXPECT_EQ(groups[0].reported_unlabelled, 0U);
  EXPECT_EQ(groups[1].name, "mixed");
  EXPECT_EQ(groups[1].labelled.topic, 1U);
  EXPECT_EQ(groups[1].reported_unlabelled, 2U);  // p0 and p1 with p3
  EXPECT_EQ(groups[2].name, "zh");
  EXPECT_EQ(groups[2].reported.positives(), 3U);
  EXPECT_EQ(groups[2].reported_unlabelled, 0U);
}

// Any text can be a language.
TEST(Breakdown, TellsManyLanguagesApart) {
  constexpr std::uint32_t kLanguages = 65'538;
  LabelledSet set = sample_set();
  set.language_names.clear();
  for (std::uint32_t language = 0; language < kLanguages; ++language) {
    set.language_names.push_back("l" + std::to_string(language));
  }
  set.language_of_page.assign(set.pages, kLanguages - 1);
  const auto groups = figures_by_language(set, judge_pairs(set, sample_found()), sample_found(), 0.5);
  EXPECT_EQ(names_of(groups), std::vector<std::string>{"l65537"});
}

// Unlabelled pairs count where the first pages of their equal texts are: p1 with p3 as p0 with p3.
TEST(Breakdown, ByPageTypeNamesBothTypesOfAPair) {
  LabelledSet set = sample_set();
  const PairOutcomes outcomes = judge_pairs(set, sample_found());
  EXPECT_TRUE(figures_by_page_type(set, outcomes, sample_found(), 0.5).empty());
  set.page_type_names = {"news", "forum", "unknown"};
  set.page_type_of_page = {0, 1, 0, 1, 2};
  const auto groups = figures_by_page_type(set, outcomes, sample_found(), 0.5);
  ASSERT_EQ(names_of(groups), (std::vector<std::string>{"forum+news", "forum+unknown", "news", "news+unknown"}));
  EXPECT_EQ(groups[0].labelled.duplicate, 1U);
  EXPECT_EQ(groups[0].labelled.near, 1U);
  EXPECT_EQ(groups[0].reported.positives(), 2U);
  EXPECT_EQ(groups[0].reported_unlabelled, 2U);
  EXPECT_EQ(groups[1].reported.different, 1U);
  EXPECT_EQ(groups[2].labelled.near, 1U);
  EXPECT_EQ(groups[2].reported.near, 1U);
  EXPECT_EQ(groups[2].reported_unlabelled, 0U);
  EXPECT_EQ(groups[3].labelled.topic, 1U);
  EXPECT_EQ(groups[3].reported.topic, 0U);
}

TEST(WorstPairs, ListsWorstMissesAndWorstFalsePositivesFirst) {
  const LabelledSet set = sample_set();
  const PairOutcomes outcomes = judge_pairs(set, sample_found());
  const auto ids = std::vector<std::string>{"p0", "p1", "p2", "p3", "p4"};
  const auto id_of = [&](std::uint32_t page) -> std::string_view { return ids[page]; };
  const WorstPairs worst = worst_pairs(set, outcomes, sample_found(), 0.7, 10, id_of);
  ASSERT_EQ(worst.misses.size(), 2U);
  EXPECT_EQ(worst.misses[0].id_b, "p2");
  EXPECT_FLOAT_EQ(static_cast<float>(worst.misses[0].score), 0.6F);
  EXPECT_EQ(worst.misses[1].edits, "typos+ocr");
  ASSERT_EQ(worst.false_positives.size(), 2U);
  EXPECT_EQ(worst.false_positives[0].label, "unlabelled");
  EXPECT_EQ(worst.false_positives[0].id_b, "p3");
  EXPECT_EQ(worst.false_positives[1].label, "diff");
}

}  // namespace
}  // namespace paraprint
