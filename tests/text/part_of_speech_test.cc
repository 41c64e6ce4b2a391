#include "text/part_of_speech.h"

#include <gtest/gtest.h>

#include <string>

namespace paraprint {
namespace {

PartOfSpeech part_of_speech(const std::string& word, bool is_stop_word = false) {
  const Token token{0, static_cast<std::uint32_t>(word.size()), WordSegmenter::shared().find_word(word)};
  return part_of_speech_of_word(token, word, is_stop_word);
}

TEST(PartOfSpeech, FollowsTheDictionarysTag) {
  EXPECT_EQ(part_of_speech("北京"), PartOfSpeech::kNoun);        // ns
  EXPECT_EQ(part_of_speech("爱"), PartOfSpeech::kVerb);          // v
  EXPECT_EQ(part_of_speech("漂亮"), PartOfSpeech::kAdjective);   // a
  EXPECT_EQ(part_of_speech("我"), PartOfSpeech::kPronoun);       // r
  EXPECT_EQ(part_of_speech("非常"), PartOfSpeech::kAdverb);      // d
  EXPECT_EQ(part_of_speech("的"), PartOfSpeech::kFunctionWord);  // uj
}

TEST(PartOfSpeech, ClassifiesWordsOutsideTheDictionary) {
  EXPECT_EQ(part_of_speech("2024"), PartOfSpeech::kNumberOrTime);
  EXPECT_EQ(part_of_speech("automobile"), PartOfSpeech::kUnknown);
  EXPECT_EQ(part_of_speech("the", true), PartOfSpeech::kFunctionWord);
  EXPECT_EQ(part_of_speech("王晓丽"), PartOfSpeech::kNoun) << "a name, according to the tagger";
}

// The weights given in docs/algorithms/simhash.md.
TEST(PartOfSpeech, WeightsAreThoseOfTheIntegratedAlgorithm) {
  EXPECT_EQ(part_of_speech_weight(PartOfSpeech::kNoun), 1.0);
  EXPECT_EQ(part_of_speech_weight(PartOfSpeech::kVerb), 0.8);
  EXPECT_EQ(part_of_speech_weight(PartOfSpeech::kAdjective), 0.6);
  EXPECT_EQ(part_of_speech_weight(PartOfSpeech::kNumberOrTime), 0.5);
  EXPECT_EQ(part_of_speech_weight(PartOfSpeech::kAdverb), 0.4);
  EXPECT_EQ(part_of_speech_weight(PartOfSpeech::kPronoun), 0.2);
  EXPECT_EQ(part_of_speech_weight(PartOfSpeech::kFunctionWord), 0.1);
  EXPECT_EQ(part_of_speech_weight(PartOfSpeech::kUnknown), 0.7);
}

}  // namespace
}  // namespace paraprint
