#include "report/comparison.h"

#include <gtest/gtest.h>

#include <random>

#include "report/compare_report.h"
#include "sample_report.h"

namespace paraprint {
namespace {

// A page with one paragraph per line.
ShownPage page(std::initializer_list<std::string_view> paragraphs) {
  ShownPage out;
  out.id = "id";
  for (const std::string_view paragraph : paragraphs) {
    const auto begin = static_cast<std::uint32_t>(out.text.size());
    out.text += paragraph;
    out.blocks.push_back({{begin, static_cast<std::uint32_t>(out.text.size())}, BlockRole::kParagraph, 0, false});
    out.text += '\n';
  }
  return out;
}

MatchedSpan paragraph_match(const Comparison& c, std::size_t i, std::size_t j) {
  return {
      c.a.blocks[i].span, c.b.blocks[j].span, static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(j), 0, false};
}

MatchedSpan sentence_match(const Comparison& c, std::string_view words) {
  const auto span_in = [&](const std::string& text) {
    const auto begin = static_cast<std::uint32_t>(text.find(words));
    return TextSpan{begin, begin + static_cast<std::uint32_t>(words.size())};
  };
  return {span_in(c.a.text), span_in(c.b.text), 0, 0, 0, true};
}

std::string line_text(const std::string& text, const ComparisonLine& line) {
  std::string out;
  for (const TextRun& run : line.runs) out += text.substr(run.span.begin_bytes, run.span.size_bytes());
  return out;
}

TEST(Comparison, NumbersPassagesAndFindsMovedOnes) {
  Comparison c;
  c.a = page({"the first paragraph of some length", "second one", "the third paragraph of some length"});
  c.b = page({"second one", "the first paragraph of some length", "new", "the third paragraph of some lengths"});
  c.spans = {paragraph_match(c, 2, 3), paragraph_match(c, 1, 0), paragraph_match(c, 0, 1)};
  const ComparisonLayout layout = lay_out(c);
  ASSERT_EQ(layout.passages.size(), 3U);
  EXPECT_FALSE(layout.passages[0].is_moved);
  EXPECT_TRUE(layout.passages[1].is_moved);  // the shorter of the two that swapped places
  EXPECT_FALSE(layout.passages[2].is_moved);
  EXPECT_EQ(layout.passages[2].kind, PassageKind::kChanged);
  EXPECT_EQ(layout.totals.equal, 2U);
  EXPECT_EQ(layout.totals.changed, 1U);
  EXPECT_EQ(layout.totals.moved, 1U);
  EXPECT_EQ(layout.totals.only_a, 0U);
  EXPECT_EQ(layout.totals.only_b, 1U);
  // The changed word is a separate run.
  ASSERT_EQ(layout.lines_a[2].runs.size(), 2U);
  EXPECT_TRUE(layout.lines_a[2].runs[1].kind != DiffKind::kEqual);
}

// 40 letters that match, 10 letters only in a, and a template that counts on neither side.
TEST(Comparison, WordResemblanceIgnoresSiteTemplates) {
  Comparison c;
  c.a = page({"aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd", "Subscribe now", "eeeeeeeeee"});
  c.b = page({"aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd", "Subscribe now"});
  c.a.content_characters = 40 + 12 + 10;
  c.b.content_characters = 40 + 12;
  c.spans = {paragraph_match(c, 0, 0)};
  EXPECT_NEAR(word_resemblance(c, lay_out(c).totals), 40.0 / (62 + 52 - 40), 1e-12);
  c.a.blocks[1].is_boilerplate = true;
  c.b.blocks[1].is_boilerplate = true;
  EXPECT_NEAR(word_resemblance(c, lay_out(c).totals), 40.0 / (50 + 40 - 40), 1e-12);
}

TEST(Comparison, NestedSentencesBelongToTheirParagraph) {
  Comparison c;
  c.a = page({"One sentence stays. Another goes away."});
  c.b = page({"One sentence stays. Another comes in."});
  c.spans = {sentence_match(c, "One sentence stays."), paragraph_match(c, 0, 0)};
  const ComparisonLayout layout = lay_out(c);
  ASSERT_EQ(layout.passages.size(), 1U);
  EXPECT_FALSE(layout.passages[0].is_sentence);
}

TEST(Comparison, JoinsAdjacentSentences) {
  Comparison c;
  c.a = page({"Start here. One is kept. Two is kept. End of a."});
  c.b = page({"Not this. One is kept.  Two is kept. Rest of b."});
  c.spans = {sentence_match(c, "One is kept."), sentence_match(c, "Two is kept.")};
  const ComparisonLayout layout = lay_out(c);
  ASSERT_EQ(layout.passages.size(), 1U);
  EXPECT_EQ(layout.passages[0].kind, PassageKind::kEqual);
  ASSERT_EQ(layout.lines_a[0].runs.size(), 3U);
  EXPECT_EQ(layout.lines_a[0].runs[1].passage, 1U);
}

TEST(Comparison, SentencesMatchedElsewhereKeepTheirWords) {
  Comparison c;
  c.a = page({"Alpha beta gamma delta. Wandering words go there. Epsilon zeta eta theta."});
  c.b = page({"Alpha beta gamma delta. Epsilon zeta eta theta.", "Wandering words go there."});
  c.spans = {paragraph_match(c, 0, 0), sentence_match(c, "Wandering words go there.")};
  const ComparisonLayout layout = lay_out(c);
  ASSERT_EQ(layout.passages.size(), 2U);
  std::vector<std::uint32_t> owners;
  for (const auto& run : layout.lines_a[0].runs) owners.push_back(run.passage);
  EXPECT_NE(std::find(owners.begin(), owners.end(), 2U), owners.end());
  EXPECT_EQ(layout.lines_b[1].runs[0].passage, 2U);
}

TEST(Comparison, ShowsTextOutsideBlocks) {
  Comparison c;
  c.a.text = "no blocks\n\n  \nat all";
  c.b.text = "before\nblock\nafter";
  c.b.blocks = {{{7, 12}, BlockRole::kHeading, 1, false}};
  const ComparisonLayout layout = lay_out(c);
  ASSERT_EQ(layout.lines_a.size(), 2U);
  ASSERT_EQ(layout.lines_b.size(), 3U);
  EXPECT_EQ(layout.lines_b[1].role, BlockRole::kHeading);
  EXPECT_EQ(layout.lines_b[2].role, BlockRole::kParagraph);
}

TEST(Comparison, TruncatesLongTextsAndSaysSo) {
  Comparison c;
  c.a.text = std::string(kShownTextBytesMaximum + 5, 'x');
  c.b.text = "short";
  c.spans = {
      {{static_cast<std::uint32_t>(kShownTextBytesMaximum), static_cast<std::uint32_t>(kShownTextBytesMaximum + 5)},
       {0, 5},
       0,
       0,
       0,
       false}};
  const ComparisonLayout layout = lay_out(c);
  EXPECT_TRUE(layout.text_cut_a);
  EXPECT_FALSE(layout.text_cut_b);
  EXPECT_TRUE(layout.passages.empty());
}

// For any spans and blocks, every non-blank character of both texts is shown once and in order.
TEST(Comparison, RandomSpansNeverLoseText) {
  std::mt19937 random(11);
  const auto number = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
  for (int round = 0; round < 500; ++round) {
    Comparison c;
    const std::vector<std::string> pieces = {"苹果", "a", "word ", "\n", "。", "\xff", "long-word ", "\n\n"};
    for (std::string* text : {&c.a.text, &c.b.text}) {
      for (std::uint32_t i = number(40); i > 0; --i) *text += pieces[number(8)];
    }
    const auto span = [&] {
      const std::uint32_t begin = number(120);
      return TextSpan{begin, begin + number(50)};
    };
    for (std::uint32_t i = number(8); i > 0; --i) c.spans.push_back({span(), span(), 0, 0, 1, number(2) == 0});
    for (std::uint32_t i = number(5); i > 0; --i) c.a.blocks.push_back({span(), BlockRole::kQuote, 0, number(2) == 0});
    const ComparisonLayout layout = lay_out(c);
    for (const bool is_a : {true, false}) {
      const std::string& text = is_a ? c.a.text : c.b.text;
      std::string shown;
      for (const ComparisonLine& line : is_a ? layout.lines_a : layout.lines_b) shown += line_text(text, line);
      std::string expected = text;
      for (std::string* s : {&shown, &expected}) std::erase_if(*s, [](char ch) { return ch == ' ' || ch == '\n'; });
      ASSERT_EQ(shown, expected);
    }
    comparison_text(c, {});
    comparison_html(c);
    comparison_json(c);
  }
}

TEST(CompareReport, TerminalTextMarksWords) {
  Comparison c;
  c.a = page({"the cow crossed the river", "only here"});
  c.b = page({"only there", "the ox crossed the river"});
  c.a.title = "First";
  c.b.title = "Second";
  c.spans = {paragraph_match(c, 0, 1)};
  c.match.verdict = Verdict::kNear;
  c.match.containment_a = 0.7F;
  c.match.containment_b = 0.7F;
  c.match.resemblance = 0.55F;
  EXPECT_EQ(comparison_text(c, {}),
            "      A First\n"
            "        id\n"
            "      B Second\n"
            "        id\n"
            "\n"
            "        A and B are near copies: 70 % of A is in B, 70 % of B is in A. Resemblance 0.55.\n"
            "        Passages: 0 with the same words, 1 changed, 0 moved. Lines: 1 only in A, 1 only in B.\n"
            "\n"
            "      + only there\n"
            "    1 ~ the [-cow-] {+ox+} crossed the river\n"
            "      - only here\n");
  TerminalOptions colour;
  colour.use_colour = true;
  EXPECT_NE(comparison_text(c, colour).find("the \x1b[31mcow\x1b[0m \x1b[32mox\x1b[0m crossed"), std::string::npos);
}

TEST(CompareReport, TerminalTextCountsTwoColumnsPerHanCharacter) {
  Comparison c;
  c.a = page({"青河市图书馆新馆今天上午九时正式向公众开放新馆位于滨水公园东侧"});
  c.b = page({"x"});
  TerminalOptions narrow;
  narrow.width_columns = 40;
  EXPECT_NE(comparison_text(c, narrow).find("      - 青河市图书馆新馆今天上午九时正式\n        向公众"),
            std::string::npos);
}

TEST(CompareReport, TerminalTextContainsNoControlCharacters) {
  Comparison c;
  c.a = page({"evil \x1b]0;title\x07 text"});
  c.b = page({"x"});
  EXPECT_EQ(comparison_text(c, {}).find('\x1b'), std::string::npos);
}

TEST(CompareReport, JsonContainsOffsetsAndChanges) {
  Comparison c;
  c.a = page({"the cow crossed"});
  c.b = page({"the ox crossed"});
  c.spans = {paragraph_match(c, 0, 0)};
  const std::string json = comparison_json(c);
  EXPECT_NE(json.find("\"text_a\": \"cow \""), std::string::npos);
  EXPECT_NE(json.find("\"passages_changed\": 1"), std::string::npos);
}

TEST(CompareReport, SamplePagesHaveTheExpectedVerdicts) {
  const auto& all = sample::pages();
  const ComparisonLayout layout = lay_out(sample::compare(all[3], all[4]));
  EXPECT_EQ(layout.totals.changed, 2U);
  EXPECT_EQ(layout.totals.moved, 1U);
  EXPECT_EQ(layout.totals.boilerplate, 2U);
}

}  // namespace
}  // namespace paraprint
