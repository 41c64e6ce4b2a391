// Terms of a page: counts, weights, parts of speech, and the positions of blocks in the normalised text.
#include "feature/page_terms.h"

#include <gtest/gtest.h>

#include <numeric>

namespace paraprint {
namespace {

MainContent content_of(const std::vector<std::pair<BlockRole, std::string>>& blocks, std::string title = "") {
  MainContent content;
  content.title = std::move(title);
  for (const auto& [role, text] : blocks) {
    TextBlock block;
    block.role = role;
    block.span.begin_bytes = static_cast<std::uint32_t>(content.text.size());
    content.text += text;
    block.span.end_bytes = static_cast<std::uint32_t>(content.text.size());
    content.text += '\n';
    content.blocks.push_back(block);
  }
  return content;
}

PageTerms terms_of(const MainContent& content) {
  PageTerms terms;
  PageTermsBuilder(WordWeights::bundled(), true).build(content, terms);
  return terms;
}

std::vector<std::string> words_of(const PageTerms& terms, const std::vector<std::uint32_t>& tokens) {
  std::vector<std::string> words;
  for (const std::uint32_t token : tokens) words.emplace_back(terms.bytes_of_token(token));
  return words;
}

TEST(PageTerms, CountsWordsOfTheTextButNotOfTheTitle) {
  const PageTerms terms = terms_of(content_of(
      {{BlockRole::kHeading, "Red apples"}, {BlockRole::kParagraph, "The apples are red. Eat!"}}, "Apples today"));
  EXPECT_EQ(words_of(terms, terms.tokens),
            (std::vector<std::string>{"red", "apples", "the", "apples", "are", "red", "eat"}));
  EXPECT_EQ(words_of(terms, terms.title_tokens), (std::vector<std::string>{"apples", "today"}));
  EXPECT_EQ(terms.normalised, "red apples the apples are red. eat!");
  EXPECT_EQ(terms.terms[terms.tokens[1]].count, 2U);
  EXPECT_EQ(terms.terms[terms.title_tokens[1]].count, 0U);
  EXPECT_TRUE(terms.terms[terms.tokens[2]].is_stop_word);
  ASSERT_EQ(terms.blocks.size(), 2U);
  EXPECT_EQ(terms.blocks[1].tokens_begin, 2U);
  EXPECT_EQ(terms.blocks[1].first_sentence_end, 6U);
  EXPECT_EQ(terms.blocks[1].tokens_end, 7U);
}

TEST(PageTerms, AssignsPartsOfSpeechAndFoldsTheScript) {
  const PageTerms terms = terms_of(content_of({{BlockRole::kParagraph, "我愛北京天安門。"}}));
  EXPECT_EQ(words_of(terms, terms.tokens), (std::vector<std::string>{"我", "爱", "北京", "天安门"}));
  EXPECT_EQ(terms.terms[0].part_of_speech, PartOfSpeech::kPronoun);
  EXPECT_EQ(terms.terms[1].part_of_speech, PartOfSpeech::kVerb);
  EXPECT_EQ(terms.terms[2].part_of_speech, PartOfSpeech::kNoun);
  EXPECT_EQ(terms.content_characters, 7U);
}

TEST(PageTerms, BlockTextsAreRangesOfTheNormalisedText) {
  const PageTerms terms = terms_of(content_of(
      {{BlockRole::kParagraph, "第一句。第二句。"}, {BlockRole::kCode, "..."}, {BlockRole::kQuote, "Ｅｎｄ"}}));
  ASSERT_EQ(terms.blocks.size(), 2U);  // blocks without words are dropped
  const std::string_view text = terms.normalised;
  EXPECT_EQ(text.substr(terms.blocks[0].text.begin_bytes, terms.blocks[0].text.size_bytes()), "第一句。第二句。");
  EXPECT_EQ(text.substr(terms.blocks[1].text.begin_bytes, terms.blocks[1].text.size_bytes()), "end");
}

TEST(PageTerms, BuildTextGivesTheSameText) {
  const MainContent content = content_of({{BlockRole::kHeading, "Ｔｈｅ 1st  heading"},
                                          {BlockRole::kParagraph, "第一句。第二句! A third one ;-)"},
                                          {BlockRole::kCode, "..."},
                                          {BlockRole::kListItem, "e\u0301nd"}},
                                         "Title");
  const PageTerms with_words = terms_of(content);
  PageTerms text = with_words;  // must be replaced completely
  StopCheck never;
  PageTermsBuilder(WordWeights::bundled(), true).build_text(content, text, never);
  EXPECT_EQ(text.normalised, with_words.normalised);
  EXPECT_EQ(text.content_characters, with_words.content_characters);
  EXPECT_GT(text.content_characters, 0U);
  EXPECT_TRUE(text.terms.empty() && text.tokens.empty() && text.title_tokens.empty() && text.blocks.empty());
}

TEST(PageTerms, EmptyPageHasNoTerms) {
  const PageTerms terms = terms_of({});
  EXPECT_TRUE(terms.tokens.empty());
  EXPECT_EQ(terms.content_characters, 0U);
}

}  // namespace
}  // namespace paraprint
