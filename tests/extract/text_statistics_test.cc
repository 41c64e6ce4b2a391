#include "extract/text_statistics.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

TEST(TextStatistics, CountsLatinTokens) {
  const TextStatistics counts = count_text("  Hello, wide world 42 times.\n");
  EXPECT_EQ(counts.tokens, 5U);
  EXPECT_EQ(counts.capital_tokens, 1U);
  EXPECT_EQ(counts.digit_tokens, 1U);
  EXPECT_EQ(counts.commas, 1U);
  EXPECT_EQ(counts.sentence_ends, 1U);
  EXPECT_EQ(counts.end, EndClass::kSentenceEnd);
}

TEST(TextStatistics, CountsEachHanCharacterAndItsPunctuation) {
  const TextStatistics counts = count_text("今天，天气好。2024年");
  EXPECT_EQ(counts.tokens, 7U);  // five characters, one number, one character
  EXPECT_EQ(counts.cjk_tokens, 6U);
  EXPECT_EQ(counts.commas, 1U);
  EXPECT_EQ(counts.sentence_ends, 1U);
  EXPECT_EQ(counts.end, EndClass::kLetter);
}

TEST(TextStatistics, CountsCyrillicAndGreekAsWords) {
  EXPECT_EQ(count_text("Москва и Афины").tokens, 3U);
  EXPECT_EQ(count_text("Η Αθήνα είναι εδώ.").tokens, 4U);
}

TEST(TextStatistics, PointWithinNumberIsNoSentenceEnd) {
  EXPECT_EQ(count_text("version 3.5 of example.org").sentence_ends, 0U);
  EXPECT_EQ(count_text("He said \"no.\"").sentence_ends, 1U);
}

TEST(TextStatistics, HashIgnoresCaseAndLayout) {
  EXPECT_EQ(count_text("Read  More!").hash, count_text("read more").hash);
  EXPECT_EQ(count_text("page 12").hash, count_text("page 34").hash);
  EXPECT_NE(count_text("read more").hash, count_text("read mere").hash);
}

TEST(TextStatistics, ListsOneBucketATokenAndAHanCharacter) {
  std::vector<std::uint16_t> buckets;
  list_tokens("Read 12 words 好的 now", buckets);
  EXPECT_EQ(buckets.size(), 6U);
  std::vector<std::uint16_t> again;
  list_tokens("read 34 WORDS 好的, now", again);
  EXPECT_EQ(buckets, again);
}

TEST(TextStatistics, SurvivesBrokenUtf8) {
  EXPECT_EQ(count_text("\xE4\xB8").tokens, 0U);
}

}  // namespace
}  // namespace paraprint
