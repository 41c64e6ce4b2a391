#include "text/word_weights.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace paraprint {
namespace {

TEST(WordWeights, AreLearntFromCounts) {
  const std::string word = "机器学习";
  const Token token{0, 12, WordSegmenter::shared().find_word(word)};
  const WordWeights weights(1000, {{WordWeights::hash(token, word).high, 200}});
  EXPECT_NEAR(weights.idf(token, word), 0.6990, 1e-4);
}

Token token_of(std::string_view word) {
  return {0, static_cast<std::uint32_t>(word.size()), WordSegmenter::shared().find_word(word)};
}

float bundled_idf(std::string_view word) {
  return WordWeights::bundled().idf(token_of(word), word);
}

// log10(D / n), as defined in docs/algorithms/word-weights.md.
TEST(WordWeights, MatchTheWorkedExamples) {
  const std::vector<std::pair<std::string, std::pair<std::uint32_t, double>>> examples = {{"机器学习", {20, 1.6990}},
                                                                                          {"医疗", {50, 1.3010}},
                                                                                          {"领域", {400, 0.3979}},
                                                                                          {"应用", {300, 0.5229}},
                                                                                          {"的", {900, 0.0458}}};
  std::vector<WordCount> counts;
  for (const auto& [word, numbers] : examples) counts.push_back({hash64(word), numbers.first});
  const WordWeights weights(1000, counts);
  for (const auto& [word, numbers] : examples) {
    EXPECT_NEAR(weights.idf(token_of(word), word), numbers.second, 1e-4) << word;
  }
  EXPECT_NEAR(weights.idf(token_of("unheard"), "unheard"), 3.0, 1e-6);
}

// Votes are made of weights, and negative ones are undefined there.
TEST(WordWeights, AreNotNegativeForImpossibleCounts) {
  const WordWeights weights(10, {{hash64("unheard"), 11}, {hash64("的"), 4'000'000'000}, {hash64("应用"), 10}});
  for (const char* word : {"unheard", "的", "应用"}) EXPECT_EQ(weights.idf(token_of(word), word), 0) << word;
}

TEST(WordWeights, HashIsMurmurHashOfTheBytes) {
  for (const char* word : {"苹果", "的", "abc", "杭研", "中国科学院"}) {
    EXPECT_EQ(WordWeights::hash(token_of(word), word), murmur128(word)) << word;
    EXPECT_EQ(WordWeights::bundled().weigh(token_of(word), word).hash, murmur128(word)) << word;
  }
}

TEST(WordWeights, ComeFromTheBundledTable) {
  EXPECT_NEAR(bundled_idf("的"), 0.88474202619 / 2.302585093, 1e-5);  // jieba's natural logarithm to base 10
  EXPECT_LT(bundled_idf("the"), bundled_idf("computer"));
  EXPECT_LT(bundled_idf("computer"), bundled_idf("zqxyzzy"));
  EXPECT_LT(bundled_idf("中国"), bundled_idf("指纹"));
  EXPECT_NEAR(bundled_idf("龘龘"), 13.900677652 / 2.302585093, 1e-5);  // unknown Han word: log10 D
  EXPECT_TRUE(WordWeights::bundled().weigh(token_of("我们"), "我们").is_stop_word);
  EXPECT_NE(WordWeights::bundled().version(), WordWeights(10, {}).version());
}

// For dictionary words, words of the other table and unknown words.
TEST(WordWeights, BatchEqualsSingleLookups) {
  std::string text;
  std::vector<Token> tokens;
  for (int i = 0; i < 100; ++i) {
    for (const std::string& word :
         {std::string("我们"), std::string("the"), "unheard" + std::to_string(i), std::string("龘龘")}) {
      const auto begin = static_cast<std::uint32_t>(text.size());
      text += word;
      tokens.push_back({begin, static_cast<std::uint32_t>(text.size()), token_of(word).word_id});
    }
  }
  const WordWeights learnt(1000, {{hash64("我们"), 900}, {hash64("unheard7"), 20}});
  for (const WordWeights* weights : {&WordWeights::bundled(), &learnt}) {
    std::vector<WordWeight> found(3);
    StopCheck never;
    weights->weigh(tokens, text, found, never);
    ASSERT_EQ(found.size(), tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const WordWeight expected = weights->weigh(tokens[i], tokens[i].word(text));
      EXPECT_EQ(found[i].hash, expected.hash);
      EXPECT_EQ(found[i].idf, expected.idf);
      EXPECT_EQ(found[i].is_stop_word, expected.is_stop_word);
    }
  }
}

}  // namespace
}  // namespace paraprint
