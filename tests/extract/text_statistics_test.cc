// Statistics of text in several scripts. Tokens must not depend on their position, as the loop reads eight bytes at
// once.
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

TEST(TextStatistics, DecimalPointIsNotASentenceEnd) {
  EXPECT_EQ(count_text("version 3.5 of example.org").sentence_ends, 0U);
  EXPECT_EQ(count_text("He said \"no.\"").sentence_ends, 1U);
}

TEST(TextStatistics, HashIgnoresCaseAndLayout) {
  EXPECT_EQ(count_text("Read  More!").hash, count_text("read more").hash);
  EXPECT_EQ(count_text("page 12").hash, count_text("page 34").hash);
  EXPECT_NE(count_text("read more").hash, count_text("read mere").hash);
}

TEST(TextStatistics, ListsOneBucketPerTokenAndHanCharacter) {
  std::vector<std::uint16_t> buckets;
  list_tokens("Read 12 words 好的 now", buckets);
  EXPECT_EQ(buckets.size(), 6U);
  std::vector<std::uint16_t> again;
  list_tokens("read 34 WORDS 好的, now", again);
  EXPECT_EQ(buckets, again);
}

TEST(TextStatistics, TokensDoNotDependOnPosition) {
  // Words of every length, at every distance from both ends of the text and in either case.
  const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  for (std::size_t length = 1; length <= letters.size(); ++length) {
    const std::string word = letters.substr(0, length);
    std::string capitals = word;
    for (char& letter : capitals) letter = static_cast<char>(letter - 'a' + 'A');
    std::vector<std::uint16_t> alone;
    list_tokens(word, alone);
    ASSERT_EQ(alone.size(), 1U);
    for (std::size_t before = 0; before < 10; ++before) {
      for (std::size_t after = 0; after < 10; ++after) {
        std::vector<std::uint16_t> found;
        list_tokens(std::string(before, ' ') + (after % 2 == 0 ? word : capitals) + std::string(after, '-'), found);
        EXPECT_EQ(found, alone) << word;
      }
    }
    EXPECT_EQ(count_text(word + " " + capitals).visible_bytes, 2 * length);
    EXPECT_NE(count_text(word).hash, count_text(word + "x").hash);
  }
}

TEST(TextStatistics, RecognisesEllipsisAtTheEnd) {
  EXPECT_EQ(count_text("The ferry runs...").end, EndClass::kEllipsis);
  EXPECT_EQ(count_text("The ferry runs \u2026 \n").end, EndClass::kEllipsis);
  EXPECT_EQ(count_text("The ferry runs.").end, EndClass::kSentenceEnd);
  EXPECT_EQ(count_text("\u201CThe ferry runs...\u201D").end, EndClass::kEllipsis);
}

TEST(TextStatistics, ScriptBordersEndTokens) {
  const TextStatistics counts = count_text("渡船ferry渡Паром_2 пар");
  EXPECT_EQ(counts.cjk_tokens, 3U);
  EXPECT_EQ(counts.tokens, 6U);  // three characters, ferry, Паром_2, пар
}

TEST(TextStatistics, HandlesBrokenUtf8) {
  EXPECT_EQ(count_text("\xE4\xB8").tokens, 0U);
  EXPECT_EQ(count_text("\xD0").tokens, 0U);
  EXPECT_EQ(count_text("\xE2\x80").tokens, 0U);
}

}  // namespace
}  // namespace paraprint
