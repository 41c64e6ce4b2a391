// Words, sentences and sentence weights of a page, including the worked example of the documentation.
#include "feature/page_features.h"

#include <gtest/gtest.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/processor_time.h"
#include "extract/plain_text.h"
#include "segment/paragraph_segmenter.h"

namespace paraprint {
namespace {

PageFeatures features_of(std::string_view text, FeatureOptions options = {}) {
  MainContent content;
  extract_plain_text(text, content);
  std::vector<Paragraph> paragraphs;
  ParagraphSegmenter().segment(content, paragraphs);
  PageFeatures features;
  FeatureBuilder(WordWeights::bundled(), options).build(content, paragraphs, features);
  return features;
}

// The worked example of docs/algorithms/sentence-weights-and-anchors.md: content characters 24, 37, 31 and 44,
// relevance 0.5, 0.25, 0.25 and 0.5.
TEST(SentenceWeight, MatchesTheWorkedExample) {
  EXPECT_NEAR(sentence_weight(24, 44, 0, 4, 0.5F), 0.6636, 5e-5);
  EXPECT_NEAR(sentence_weight(37, 44, 1, 4, 0.25F), 0.5023, 5e-5);
  EXPECT_NEAR(sentence_weight(31, 44, 2, 4, 0.25F), 0.4614, 5e-5);
  EXPECT_NEAR(sentence_weight(44, 44, 3, 4, 0.5F), 0.7400, 5e-5);
}

// The same example as text. All words but four are stop words, and those four, which no dictionary has, occur twice
// each.
TEST(SentenceWeight, MatchesTheWorkedExampleAsText) {
  const PageFeatures features = features_of(
      "The zorblat is at the quimfen. It was there that the zorblat had been before. This is what they did with the "
      "quimfen. The dralvok and the wexpuma were dralvok and wexpuma.");
  ASSERT_EQ(features.sentences.size(), 4U);
  const float expected_weights[] = {0.6636F, 0.5023F, 0.4614F, 0.7400F};
  const std::uint32_t expected_characters[] = {24, 37, 31, 44};
  for (std::size_t sentence = 0; sentence < 4; ++sentence) {
    EXPECT_EQ(features.sentences[sentence].content_characters, expected_characters[sentence]) << sentence;
    EXPECT_NEAR(features.sentences[sentence].weight, expected_weights[sentence], 5e-5) << sentence;
  }
}

// Fused multiplication and addition, as on arm64 without -ffp-contract=off, would skip a rounding. What is stored in a
// volatile variable is rounded.
TEST(SentenceWeight, RoundsEveryOperationOnEveryProcessor) {
  for (std::uint32_t characters = 1; characters <= 300; ++characters) {
    const float relevance = static_cast<float>(characters) / 307;
    volatile float length = static_cast<float>(characters) / 301;
    length = length * 0.3F;
    volatile float position = 0.5F;
    position = position * 0.3F;
    volatile float shared = relevance * 0.4F;
    volatile float sum = length + position;
    sum = sum + shared;
    ASSERT_EQ(sentence_weight(characters, 301, 1, 4, relevance), sum) << characters;
  }
}

TEST(SentenceWeight, SingleSentenceHasFirstPosition) {
  EXPECT_NEAR(sentence_weight(30, 30, 0, 1, 0), 0.6, 1e-6);
}

TEST(PageFeatures, ListsDistinctWordsInOrder) {
  const PageFeatures features =
      features_of("The heron waits. The heron waits again, and the river rises slowly tonight.");
  ASSERT_EQ(features.paragraphs.size(), 1U);
  EXPECT_EQ(features.word_of_token[0], features.word_of_token[3]);
  EXPECT_EQ(features.word_of_token[1], features.word_of_token[4]);
  const PageWord& the = features.words[features.word_of_token[0]];
  EXPECT_EQ(the.count, 3U);
  EXPECT_EQ(the.vote, 0U);  // a stop word
  const PageWord& heron = features.words[features.word_of_token[1]];
  EXPECT_EQ(heron.count, 2U);
  EXPECT_EQ(heron.vote, static_cast<std::uint32_t>(std::llround(heron.idf * 65536.0)));
}

// The page is about ferries, its last paragraph about sugar. By the page's keywords the sentence with the ferry is the
// heaviest there, by the paragraph's own that about sugar, and the mean is in between.
TEST(PageFeatures, RelevanceMayBeThatToTheParagraph) {
  std::string text;
  for (int i = 0; i < 10; ++i) {
    text += "The ferry left the landing before the ferry bell rang at the landing, ferry after ferry.\n\n";
  }
  text += "Nobody on the ferry had seen such a quantity of it. Sugar needs sugar cane, and sugar cane needs water.";
  const auto weights = [&](bool page, bool paragraph) {
    const PageFeatures features = features_of(text, {.keyword_relevance = page, .paragraph_relevance = paragraph});
    const std::uint32_t first = features.paragraphs.back().sentences.begin;
    return std::pair(features.sentences[first].weight, features.sentences[first + 1].weight);
  };
  const auto [ferry_by_page, sugar_by_page] = weights(true, false);
  const auto [ferry_by_paragraph, sugar_by_paragraph] = weights(false, true);
  const auto [ferry_by_both, sugar_by_both] = weights(true, true);
  EXPECT_GT(ferry_by_page, ferry_by_paragraph);
  EXPECT_GT(sugar_by_paragraph, sugar_by_page);
  EXPECT_NEAR(ferry_by_both, (ferry_by_page + ferry_by_paragraph) / 2, 1e-5);
  EXPECT_NEAR(sugar_by_both, (sugar_by_page + sugar_by_paragraph) / 2, 1e-5);
}

// A paragraph with ten keywords or fewer: a sentence with all of them has relevance 1, whatever paragraphs came before.
TEST(PageFeatures, KeywordsOfAParagraphAreItsOwn) {
  const std::string sentence = "Herons stalk quietly along shallow riverbanks tonight.";
  const PageFeatures features = features_of("Engines roar loudly inside crowded factories nowadays.\n\n" + sentence,
                                            {.keyword_relevance = false, .paragraph_relevance = true});
  ASSERT_EQ(features.paragraphs.size(), 2U);
  for (const SentenceFeatures& each : features.sentences) EXPECT_NEAR(each.weight, 0.3 + 0.3 + 0.4, 1e-5);
}

TEST(PageFeatures, PartsOfSpeechScaleOnlyVotes) {
  const char* const text = "北京非常美丽，2024年的automobile开往天安门。";
  const PageFeatures plain = features_of(text);
  const PageFeatures weighed = features_of(text, {.weigh_part_of_speech = true});
  ASSERT_EQ(plain.words.size(), weighed.words.size());
  std::size_t smaller = 0;
  for (std::size_t w = 0; w < plain.words.size(); ++w) {
    EXPECT_EQ(plain.words[w].hash, weighed.words[w].hash);
    EXPECT_EQ(plain.words[w].idf, weighed.words[w].idf);
    EXPECT_LE(weighed.words[w].vote, plain.words[w].vote);
    if (weighed.words[w].vote < plain.words[w].vote) ++smaller;
  }
  const PageWord& beijing = weighed.words[weighed.word_of_token[0]];
  EXPECT_EQ(beijing.vote, static_cast<std::uint32_t>(std::llround(double{beijing.idf} * 65536))) << "a noun weighs 1";
  EXPECT_GT(smaller, 2U);
}

TEST(PageFeatures, ContentTextHasNoSpacesPunctuationOrCase) {
  EXPECT_EQ(features_of("iOS 系统，很好用！").content_text, features_of("ios系统 很好用").content_text);
  EXPECT_EQ(features_of("ＡＢＣ　１２３").content_text, "abc123");
}

TEST(PageFeatures, SentencesCoverTheParagraphs) {
  const PageFeatures features = features_of(
      "第一句话说的是桥。第二句话说的是河，河水很急。\n\nA second paragraph stands here. It has two sentences, and "
      "both are short.");
  std::uint32_t characters = 0;
  for (const SentenceFeatures& sentence : features.sentences) characters += sentence.content_characters;
  EXPECT_EQ(characters, features.content_characters);
  EXPECT_EQ(features.sentences.size(), 4U);
  for (const ParagraphFeatures& paragraph : features.paragraphs) {
    EXPECT_EQ(features.sentences[paragraph.sentences.begin].content.begin_bytes, paragraph.content.begin_bytes);
    EXPECT_EQ(features.sentences[paragraph.sentences.end - 1].content.end_bytes, paragraph.content.end_bytes);
  }
}

TEST(PageFeatures, ShortSentencesAreNotCandidates) {
  const PageFeatures features = features_of("Too short. This sentence is long enough to be one of the candidates.");
  ASSERT_EQ(features.sentences.size(), 2U);
  EXPECT_EQ(features.sentences[0].weight, 0);
  EXPECT_GT(features.sentences[1].weight, 0);
}

TEST(PageFeatures, ManyDistinctWordsGrowTheTable) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "w" + std::to_string(i) + " ";
  const PageFeatures features = features_of(text);
  EXPECT_EQ(features.words.size(), 20'000U);
}

// Words that a hash table with XXH3 as it is would place close together: all operations on it would cost as much as it
// is long. Only the ratio shows that; without a seed it is above 20.
TEST(PageFeatures, CraftedWordsCostWhatOtherWordsCost) {
  constexpr std::size_t kWords = 20'000;
  constexpr std::size_t kPaddedBytes = 16;  // shorter words were hashed with zeros up to this length
  constexpr std::uint64_t kSlots = 65'536;  // of a table with that many words
  const auto seconds_for = [=](std::uint64_t places) {
    std::string text;
    std::mt19937_64 random(7);
    for (std::size_t count = 0; count < kWords;) {
      std::string word(kPaddedBytes, '\0');
      for (int i = 0; i < 9; ++i) word[static_cast<std::size_t>(i)] = static_cast<char>('a' + random() % 26);
      if ((XXH3_64bits(word.data(), kPaddedBytes) & (kSlots - 1)) >= places) continue;
      text += word.c_str();
      text += ++count % 20 == 0 ? ".\n\n" : " ";
    }
    text += text + text;  // words found again cost more than new ones
    MainContent content;
    std::vector<Paragraph> paragraphs;
    extract_plain_text(text, content);
    ParagraphSegmenter().segment(content, paragraphs);
    double least = 1e9;
    for (int run = 0; run < 3; ++run) {
      FeatureBuilder builder(WordWeights::bundled(), {});
      PageFeatures features;
      const double start = thread_processor_seconds();
      builder.build(content, paragraphs, features);
      least = std::min(least, thread_processor_seconds() - start);
      EXPECT_GE(features.words.size(), kWords);
    }
    return least;
  };
  EXPECT_LT(seconds_for(kSlots / 64), 4 * seconds_for(kSlots));
}

TEST(PageFeatures, ReusedBuilderGivesTheSameAsANewOne) {
  FeatureBuilder builder(WordWeights::bundled(), {});
  for (const char* text :
       {"One page about bridges and rivers.", "另一页说的是桥。", "One page about bridges and rivers."}) {
    MainContent content;
    extract_plain_text(text, content);
    std::vector<Paragraph> paragraphs;
    ParagraphSegmenter().segment(content, paragraphs);
    PageFeatures features;
    builder.build(content, paragraphs, features);
    const PageFeatures fresh = features_of(text);
    EXPECT_EQ(features.content_text, fresh.content_text);
    EXPECT_EQ(features.word_of_token, fresh.word_of_token);
  }
}

}  // namespace
}  // namespace paraprint
