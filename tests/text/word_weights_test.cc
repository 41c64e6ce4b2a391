#include "text/word_weights.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

TEST(WordWeights, LearntFromCounts) {
  const std::string word = "机器学习";
  const Token token{0, 12, WordSegmenter::shared().find_word(word)};
  const WordWeights weights(1000, {{WordWeights::hash(token, word).high, 200}});
  EXPECT_NEAR(weights.idf(token, word), 0.6990, 1e-4);
}

}  // namespace
}  // namespace paraprint
