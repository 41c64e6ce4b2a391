#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "text/word_weights.h"

namespace paraprint {
namespace {

std::vector<Token> tokens_of(const std::string& text) {
  std::vector<Token> tokens;
  WordSegmenter::shared().segment(text, tokens);
  return tokens;
}

void add(DocumentFrequencyCounter& counter, const std::string& text) {
  counter.add_document(tokens_of(text), text);
}

float idf_of(const WordWeights& weights, const std::string& word) {
  const std::vector<Token> tokens = tokens_of(word);
  EXPECT_EQ(tokens.size(), 1u);
  return weights.idf(tokens[0], word);
}

TEST(DocumentFrequency, CountsEachWordOncePerDocument) {
  DocumentFrequencyCounter counter;
  for (int i = 0; i < 8; ++i) add(counter, "苹果 苹果 qzxfoo qzxfoo");
  add(counter, "苹果 香蕉");
  add(counter, "");
  const WordWeights weights = counter.weights();
  EXPECT_EQ(counter.documents(), 10u);
  EXPECT_NEAR(idf_of(weights, "苹果"), 0.0458, 1e-4);    // log10(10 / 9)
  EXPECT_NEAR(idf_of(weights, "qzxfoo"), 0.0969, 1e-4);  // log10(10 / 8)
  EXPECT_NEAR(idf_of(weights, "香蕉"), 1.0, 1e-6);
  EXPECT_NEAR(idf_of(weights, "never"), 1.0, 1e-6);  // n = 0 is treated as 1
}

// However documents are distributed over counters and merged, the counts are the same, even beyond the limit.
TEST(DocumentFrequency, IsIndependentOfOrderAndDistribution) {
  constexpr std::size_t kFewWords = 40;
  const bool holds = rc::check("documents", [] {
    const auto documents = *rc::gen::container<std::vector<std::vector<std::uint8_t>>>(
        rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>()));
    std::vector<std::string> texts;
    for (const auto& document : documents) {
      std::string text = "the 苹果";
      for (const std::uint8_t word : document) text += " zqx" + std::to_string(word);
      texts.push_back(text);
    }
    DocumentFrequencyCounter whole(kFewWords);
    for (const std::string& text : texts) add(whole, text);
    DocumentFrequencyCounter left(kFewWords);
    DocumentFrequencyCounter right(kFewWords);
    std::reverse(texts.begin(), texts.end());
    for (std::size_t i = 0; i < texts.size(); ++i) add(i % 3 == 0 ? left : right, texts[i]);
    right.merge(left);
    RC_ASSERT(right.counts() == whole.counts());
    RC_ASSERT(right.documents() == whole.documents());
    RC_ASSERT(whole.counts().size() <= kFewWords + 2);
    RC_ASSERT(right.weights().version() == whole.weights().version());
    // Also when serialised in parts, of which some reach the limit of words before others.
    DocumentFrequencyCounter joined(kFewWords);
    for (const std::string& part : left.encode(3)) RC_ASSERT(joined.merge_encoded(part).has_value());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      DocumentFrequencyCounter single(kFewWords);
      if (i % 3 != 0) add(single, texts[i]);
      for (const std::string& part : single.encode(2)) {
        if (i % 3 != 0) RC_ASSERT(joined.merge_encoded(part).has_value());
      }
    }
    RC_ASSERT(joined.encode(1) == whole.encode(1));
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace paraprint
