// Marks of the words of sentences.
#include "provenance/sentence_marks.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

constexpr auto kRarity = static_cast<std::size_t>(SentenceMark::kRarity);
constexpr auto kCohesion = static_cast<std::size_t>(SentenceMark::kCohesion);

// A page of two sentences over the words 0 to 3: "0 1 2" and "0 3 3". Word 2 is a stop word.
PageFeatures two_sentences() {
  PageFeatures features;
  const auto add_word = [&](float idf, std::uint32_t vote, std::uint32_t count) {
    PageWord word;
    word.idf = idf;
    word.vote = vote;
    word.count = count;
    features.words.push_back(word);
  };
  add_word(2, 1, 2);
  add_word(6, 1, 1);
  add_word(1, 0, 1);
  add_word(4, 1, 2);
  features.word_of_token = {0, 1, 2, 0, 3, 3};
  for (std::uint32_t begin : {0U, 3U}) {
    SentenceFeatures sentence;
    sentence.words = {begin, begin + 3};
    features.sentences.push_back(sentence);
  }
  return features;
}

TEST(SentenceMarks, RarityIsTheMeanIdfOfWordsThatCount) {
  const std::vector<SentenceMarks> marks = sentence_marks(two_sentences());
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_EQ(marks[0][kRarity], 128);  // (2 + 6) / 2 of 8
  EXPECT_EQ(marks[1][kRarity], 106);  // (2 + 4 + 4) / 3 of 8
}

TEST(SentenceMarks, CohesionIsTheShareOfWordsThatOtherSentencesHave) {
  const std::vector<SentenceMarks> marks = sentence_marks(two_sentences());
  EXPECT_EQ(marks[0][kCohesion], 64);  // 2 of 8
  EXPECT_EQ(marks[1][kCohesion], 51);  // 2 of 10: a word repeated in the sentence alone is not elsewhere
}

TEST(SentenceMarks, NumbersAndEmptySentencesHaveNone) {
  PageFeatures features = two_sentences();
  for (PageWord& word : features.words) word.is_number = true;
  features.sentences.push_back({});
  for (const SentenceMarks& marks : sentence_marks(features)) EXPECT_EQ(marks, SentenceMarks{});
}

}  // namespace
}  // namespace paraprint
