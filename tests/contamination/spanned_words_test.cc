// Words keep their places in the text that they were read from.
#include "contamination/spanned_words.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "text/normalise.h"
#include "text/utf8.h"

namespace paraprint {
namespace {

std::vector<SpannedWord> words_of(std::string_view text) {
  SpannedWords reader;
  std::vector<SpannedWord> words;
  StopCheck never;
  reader.read(text, words, never);
  return words;
}

std::vector<std::string> texts_of(std::string_view text) {
  std::vector<std::string> found;
  for (const SpannedWord& word : words_of(text)) {
    found.emplace_back(text.substr(word.span.begin_bytes, word.span.size_bytes()));
  }
  return found;
}

TEST(SpannedWords, AreWhereTheyStand) {
  EXPECT_EQ(texts_of("  What is\tthe CAPITAL of\nFrance? "),
            (std::vector<std::string>{"What", "is", "the", "CAPITAL", "of", "France"}));
  EXPECT_EQ(texts_of("法国的首都是哪里？巴黎，"),
            (std::vector<std::string>{"法国", "的", "首都", "是", "哪里", "巴黎"}));
  EXPECT_TRUE(words_of(" ... \xFF！").empty());
}

// One character becomes several letters, so that the place is that of the text between white spaces.
TEST(SpannedWords, ArePlacedRoughlyWhereLengthsChange) {
  EXPECT_EQ(texts_of("a ㎏-sack here"), (std::vector<std::string>{"a", "㎏-sack", "㎏-sack", "here"}));
  EXPECT_EQ(texts_of("an oﬃce-block"), (std::vector<std::string>{"an", "oﬃce-block", "oﬃce-block"}));
}

// Changes of length that add up to none: the places in between are not those of the text.
TEST(SpannedWords, CutNoCharacterWhereChangesOfLengthAddUpToNone) {
  const std::string_view text = "H\u00BA\u00AD\u00BD\u00E9UR";
  ASSERT_EQ(Normaliser().normalised(text).size(), text.size());
  ASSERT_FALSE(words_of(text).empty());
  for (const SpannedWord& word : words_of(text)) {
    for (const std::uint32_t offset : {word.span.begin_bytes, word.span.end_bytes}) {
      EXPECT_TRUE(offset == text.size() || (static_cast<unsigned char>(text[offset]) & 0xC0) != 0x80) << offset;
    }
  }
}

TEST(SpannedWords, AreComparedNormalised) {
  const auto hashes = [](std::string_view text) {
    std::vector<std::uint64_t> found;
    for (const SpannedWord& word : words_of(text)) found.push_back(word.hash);
    return found;
  };
  EXPECT_EQ(hashes("What is the CAPITAL of France?"), hashes("what is the capital, of france"));
  EXPECT_EQ(hashes("漢語水平"), hashes("汉语水平"));
  EXPECT_NE(hashes("What is"), hashes("What was"));
}

TEST(SpannedWords, HaveWeights) {
  const std::vector<SpannedWord> words = words_of("the photosynthesis");
  ASSERT_EQ(words.size(), 2U);
  EXPECT_GT(words[0].weight, 0);
  EXPECT_GT(words[1].weight, words[0].weight + 1);
}

// The same words as those of the whole text after normalisation.
RC_GTEST_PROP(SpannedWords, AreThoseOfTheWholeText, ()) {
  static const std::vector<std::string> kPieces = {"a",  "Word", "THE", "漢語",         "的",  "首都", "，",
                                                   "。", " ",    "\n",  "7,",           "é",   "ﬃ",    "-",
                                                   "？", "（",   "）",  "\xE3\x80\x80", "\xFF"};
  std::string text;
  for (const int piece : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, static_cast<int>(kPieces.size())))) {
    text += kPieces[static_cast<std::size_t>(piece)];
  }
  const std::string normalised = Normaliser().normalised(text);
  std::vector<Token> tokens;
  WordSegmenter::shared().segment(normalised, tokens);
  std::vector<std::uint64_t> expected;
  for (const Token& token : tokens) expected.push_back(WordWeights::hash(token, token.word(normalised)).high);
  std::vector<std::uint64_t> found;
  std::uint32_t at = 0;
  for (const SpannedWord& word : words_of(text)) {
    found.push_back(word.hash);
    RC_ASSERT(word.span.begin_bytes >= at && word.span.end_bytes > word.span.begin_bytes);
    RC_ASSERT(word.span.end_bytes <= text.size());
    at = word.span.begin_bytes;
  }
  RC_ASSERT(found == expected);
}

}  // namespace
}  // namespace paraprint
