#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "lab/simulate/edit.h"
#include "lab/simulate/language/word_swaps.h"

namespace paraprint {
namespace {

using testing::HasSubstr;

std::string message_of(const std::vector<std::string>& edits) {
  const Result<std::vector<EditChoice>> choices = choose_edits(edits);
  if (choices) return "accepted";
  EXPECT_EQ(choices.error().code, ErrorCode::kInvalidArgument);
  return choices.error().message;
}

TEST(EditTable, RowsAreComplete) {
  std::set<std::string_view> names;
  EditPhase phase = EditPhase::kCopy;
  for (const EditRow& row : edit_rows()) {
    EXPECT_TRUE(names.insert(row.info.name).second) << row.info.name;
    EXPECT_FALSE(row.info.summary.empty() || row.info.strength.empty() || row.info.label.empty()) << row.info.name;
    EXPECT_GT(row.info.strength_least, 0);
    EXPECT_GE(row.info.strength_most, row.info.strength_least);
    EXPECT_LE(row.info.strength_most, 1);
    EXPECT_GT(row.weight, 0U);
    EXPECT_GE(row.phase, phase) << row.info.name << " is out of order";
    phase = row.phase;
  }
}

TEST(EditTable, EmptySpecificationSelectsAllEdits) {
  EXPECT_EQ(choose_edits({})->size(), edit_rows().size());
}

TEST(EditTable, ParsesStrengths) {
  const Result<std::vector<EditChoice>> choices = choose_edits({"typos=0.02-0.05", "digest", "synonyms=0.3"});
  ASSERT_TRUE(choices);
  ASSERT_EQ(choices->size(), 3U);
  EXPECT_EQ((*choices)[0].row->info.name, "digest");  // in the order of the table
  EXPECT_EQ((*choices)[1].row->info.name, "synonyms");
  EXPECT_DOUBLE_EQ((*choices)[1].strength_least, 0.3);
  EXPECT_DOUBLE_EQ((*choices)[1].strength_most, 0.3);
  EXPECT_DOUBLE_EQ((*choices)[2].strength_least, 0.02);
  EXPECT_DOUBLE_EQ((*choices)[2].strength_most, 0.05);
}

TEST(EditTable, ExplainsInvalidSpecifications) {
  EXPECT_THAT(message_of({"synonym"}), HasSubstr("did you mean 'synonyms'?"));
  EXPECT_THAT(message_of({"tempalte"}), HasSubstr("did you mean 'template'?"));
  for (const char* wrong : {"typos=0", "typos=1.5", "typos=-0.1", "typos=x", "typos=", "typos=0.1-2", "typos=nan"}) {
    EXPECT_THAT(message_of({wrong}), HasSubstr("above 0 and at most 1")) << wrong;
  }
  EXPECT_THAT(message_of({"typos=0.5-0.1"}), HasSubstr("ends below its start"));
  EXPECT_THAT(message_of({"typos", "typos=0.2"}), HasSubstr("given twice"));
}

TEST(Synonyms, EveryWordIsInExactlyOneGroupOfTwoOrMore) {
  std::set<std::string_view> words;
  for (const std::span<const std::string_view> group : synonym_groups()) {
    EXPECT_GE(group.size(), 2U);
    for (const std::string_view word : group) {
      EXPECT_TRUE(words.insert(word).second) << word;
      EXPECT_EQ(synonyms_of(word).data(), group.data());
    }
  }
  EXPECT_GT(words.size(), 1000U);
  EXPECT_TRUE(synonyms_of("paraprint").empty());
}

}  // namespace
}  // namespace paraprint
