// Taking passages out of texts, and finding them in the plain text that was extracted from.
#include "trim/trimmed_text.h"

#include <gtest/gtest.h>

#include <random>

#include "extract/plain_text.h"

namespace paraprint {
namespace {

std::string without(std::string_view text, const std::vector<TextSpan>& spans) {
  return text_without(text, spans);
}

TEST(TrimmedText, TakesThePassageAndTheSpaceAfterIt) {
  EXPECT_EQ(without("One. Two. Three.", {{5, 9}}), "One. Three.");
  EXPECT_EQ(without("One.\n\nTwo.\n\nThree.\n", {{6, 10}}), "One.\n\nThree.\n");
  EXPECT_EQ(without("One.\n\nTwo.\n\nThree.", {{12, 18}}), "One.\n\nTwo.");
  EXPECT_EQ(without("One.\n\nTwo.\n\nThree.\n", {{0, 4}, {12, 18}}), "Two.");
  EXPECT_EQ(without("One.\n", {{0, 4}}), "");
  EXPECT_EQ(without("One. \n", {}), "One. \n");
}

TEST(TrimmedText, FindsThePassagesInTheSource) {
  const std::string source = "# Title\r\n\r\n\u3000\u3000First   line\there. \u00A0\r\nSecond #1.\n";
  MainContent content;
  StopCheck never;
  extract_plain_text(source, content, {.markdown_headings = true}, never);
  ASSERT_EQ(content.text, "Title\nFirst line here.\nSecond #1.\n");
  const auto spans = spans_in_source(source, content.text, std::vector<TextSpan>{{0, 5}, {6, 22}, {23, 33}});
  ASSERT_TRUE(spans.has_value());
  const auto found = [&](std::size_t i) { return source.substr((*spans)[i].begin_bytes, (*spans)[i].size_bytes()); };
  EXPECT_EQ(found(0), "Title");
  EXPECT_EQ(found(1), "First   line\there.");
  EXPECT_EQ(found(2), "Second #1.");
}

TEST(TrimmedText, OtherTextsAreNotTheSource) {
  const std::vector<TextSpan> spans = {{2, 6}};
  EXPECT_TRUE(spans_in_source("a bcde f", "a bcde f", spans).has_value());
  EXPECT_FALSE(spans_in_source("a bXde f", "a bcde f", spans).has_value());
  EXPECT_FALSE(spans_in_source("a bc", "a bcde f", spans).has_value());
  EXPECT_FALSE(spans_in_source("", "a bcde f", spans).has_value());
}

std::string without_what_extraction_changes(std::string text) {
  for (const std::string_view left_out : {" ", "\n", "\r", "\t", "#", "\u00A0", "\u3000", "\u200B", "\uFEFF"}) {
    for (std::size_t at = 0; (at = text.find(left_out, at)) != std::string::npos;) text.erase(at, left_out.size());
  }
  return text;
}

// Random texts of few characters, so that all kinds of white space meet: what is found has the same characters, and
// begins and ends with the first and last of them.
TEST(TrimmedText, FindsEveryBlockOfRandomTexts) {
  const std::string_view pieces[] = {"a",    "bc",     "\u6c34", ".",      " ",      "  ",     "\n",
                                     "\r\n", "\n\n\t", "\u00A0", "\u3000", "\u200B", "\uFEFF", "# "};
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    std::string source;
    for (auto i = random() % 40; i > 0; --i) source += pieces[random() % std::size(pieces)];
    MainContent content;
    StopCheck never;
    extract_plain_text(source, content, {.markdown_headings = seed % 2 == 0}, never);
    std::vector<TextSpan> spans;
    for (const TextBlock& block : content.blocks) {
      if (random() % 2 == 0) spans.push_back(block.span);
    }
    const auto found = spans_in_source(source, content.text, spans);
    ASSERT_TRUE(found.has_value()) << "seed " << seed << ": " << source;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const std::string block = content.text.substr(spans[i].begin_bytes, spans[i].size_bytes());
      const std::string in_source = source.substr((*found)[i].begin_bytes, (*found)[i].size_bytes());
      EXPECT_EQ(without_what_extraction_changes(in_source), without_what_extraction_changes(block))
          << "seed " << seed << ": " << source;
      EXPECT_EQ(in_source.front(), block.front());
      EXPECT_EQ(in_source.back(), block.back());
    }
  }
}

}  // namespace
}  // namespace paraprint
