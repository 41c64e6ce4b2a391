// Tokens, overlaps and figures of extraction by hand. tests/cli/eval_extract_test.py compares whole runs with another
// scorer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lab/evaluate/evaluate_testing.h"
#include "lab/extraction/extraction_figures.h"
#include "lab/extraction/token_overlap.h"
#include "paraprint/evaluate_extraction.h"

namespace paraprint {
namespace {

std::vector<std::string> tokens_of(std::string_view text) {
  TokenMultiset tokens;
  tokens.assign(text);
  return {tokens.sorted().begin(), tokens.sorted().end()};
}

using Tokens = std::vector<std::string>;

Rates overlap(std::string_view gold, std::string_view extracted) {
  TokenMultiset one;
  TokenMultiset other;
  one.assign(gold);
  other.assign(extracted);
  return token_overlap(one, other);
}

TEST(TokenMultiset, SplitsWordsAtEverythingThatIsNoLetterOrDigit) {
  EXPECT_EQ(tokens_of("The cat's 2nd e-mail, snake_case.\n"),
            (Tokens{"2nd", "cat", "e", "mail", "s", "snake_case", "the"}));
  EXPECT_EQ(tokens_of(" ,.\n"), Tokens{});
}

TEST(TokenMultiset, TakesIdeographsKanaAndHangulOneByOne) {
  EXPECT_EQ(tokens_of("中文abc中"), (Tokens{"abc", "中", "中", "文"}));
  EXPECT_EQ(tokens_of("カタ仮名"), (Tokens{"カ", "タ", "仮", "名"}));
  EXPECT_EQ(tokens_of("한글 2개"), (Tokens{"2", "개", "글", "한"}));
  EXPECT_EQ(tokens_of("\xF0\xA0\x80\x80x"), (Tokens{"x", "\xF0\xA0\x80\x80"}));
}

TEST(TokenMultiset, NormalisesWidthCaseAndAccents) {
  EXPECT_EQ(tokens_of("ＡＢｃ"), Tokens{"abc"});
  EXPECT_EQ(tokens_of("cafe\xCC\x81 CAFÉ"), (Tokens{"café", "café"}));
  EXPECT_EQ(tokens_of("ΟΔΟΣ"), Tokens{"οδος"});  // a final sigma
  EXPECT_EQ(tokens_of("ﬁne"), Tokens{"fine"});
}

TEST(TokenMultiset, InvalidBytesSeparate) {
  EXPECT_EQ(tokens_of("a\xFF"
                      "b"),
            (Tokens{"a", "b"}));
}

// Without a limit, ordering these marks takes quadratic time: minutes instead of milliseconds.
TEST(TokenMultiset, TakesTimeInProportionToRunsOfMarks) {
  std::string text = "a";
  for (int i = 0; i < 500'000; ++i) text += i % 2 == 0 ? "\xCC\x81" : "\xCC\xA3";
  EXPECT_FALSE(tokens_of(text).empty());
}

TEST(TokenOverlap, CountsTokensWithMultiplicity) {
  const Rates rates = overlap("a a b c", "a a a d");
  EXPECT_DOUBLE_EQ(rates.precision, 0.5);
  EXPECT_DOUBLE_EQ(rates.recall, 0.5);
  EXPECT_DOUBLE_EQ(rates.f1, 0.5);
  EXPECT_DOUBLE_EQ(overlap("a b c d", "a").precision, 1);
  EXPECT_DOUBLE_EQ(overlap("a b c d", "a").recall, 0.25);
  EXPECT_DOUBLE_EQ(overlap("a b c d", "a").f1, 0.4);
}

TEST(TokenOverlap, OfEmptyTexts) {
  EXPECT_DOUBLE_EQ(overlap("", " .").f1, 1);
  EXPECT_DOUBLE_EQ(overlap("a", "").f1, 0);
  EXPECT_DOUBLE_EQ(overlap("", "a").f1, 0);
  EXPECT_DOUBLE_EQ(overlap("a", "b").f1, 0);
}

// Six pages, two extractors; the first has the F1 of the row, the second half of it.
ScoredPages sample_pages() {
  ScoredPages scored;
  scored.sources = {"s", "t"};
  scored.page_types = {"news", "forum", "unknown"};
  scored.languages = {"en"};
  scored.extractors = 2;
  const auto add = [&](std::string id, std::uint32_t source, std::uint32_t type, bool is_tool_made, double f1) {
    scored.pages.push_back({std::move(id), source, type, 0, is_tool_made});
    scored.rates.push_back({f1, f1, f1});
    scored.rates.push_back({f1 / 2, f1 / 2, f1 / 2});
  };
  add("1", 0, 0, false, 0.9);
  add("2", 0, 0, false, 0.8999999);
  add("3", 0, 1, false, 0.5);
  add("4", 1, 1, false, 0.4999999);
  add("5", 1, 2, true, 1);
  add("6", 1, 0, false, 1);
  return scored;
}

ExtractionEvaluation figures_of(const ScoredPages& scored) {
  ExtractionEvaluation evaluation;
  evaluation.seed = 1;
  evaluation.bootstrap_rounds = 400;
  EXPECT_TRUE(add_extraction_figures(scored, evaluation));
  return evaluation;
}

TEST(ExtractionFigures, CountsCorrectAndBadPagesOnUnroundedValues) {
  const ExtractionEvaluation evaluation = figures_of(sample_pages());
  const ExtractionScores& scores = evaluation.all.scores[0];
  EXPECT_EQ(evaluation.all.pages, 6U);
  EXPECT_EQ(scores.correct, 3U);
  EXPECT_EQ(scores.bad, 1U);
  EXPECT_DOUBLE_EQ(scores.correct_share, 0.5);
  EXPECT_NEAR(scores.f1, (0.9 + 0.9 + 0.5 + 0.5 + 1 + 1) / 6, 1e-6);
  EXPECT_NEAR(scores.median_f1, 0.9, 1e-6);
  EXPECT_EQ(evaluation.all.scores[1].correct, 0U);
  EXPECT_DOUBLE_EQ(evaluation.all.scores[1].f1_difference, -scores.f1 / 2);
  EXPECT_DOUBLE_EQ(evaluation.all.scores[1].correct_difference, -0.5);
}

TEST(ExtractionFigures, GroupsPagesByTypeLanguageAndSource) {
  const ExtractionEvaluation evaluation = figures_of(sample_pages());
  ASSERT_EQ(evaluation.by_page_type.size(), 3U);
  EXPECT_EQ(evaluation.by_page_type[0].name, "news");  // the most pages
  EXPECT_EQ(evaluation.by_page_type[0].pages, 3U);
  EXPECT_EQ(evaluation.by_page_type[0].scores[0].correct, 2U);
  EXPECT_EQ(evaluation.by_page_type[1].name, "forum");
  EXPECT_EQ(evaluation.by_page_type[1].scores[0].bad, 1U);
  ASSERT_EQ(evaluation.by_language.size(), 1U);
  ASSERT_EQ(evaluation.by_source.size(), 2U);
  EXPECT_EQ(evaluation.by_source[0].name, "s");
  EXPECT_EQ(evaluation.without_tools.pages, 5U);
  EXPECT_EQ(evaluation.mean_of_sources.pages, 2U);
  EXPECT_NEAR(evaluation.mean_of_sources.scores[0].f1, ((0.9 + 0.9 + 0.5) / 3 + 0.75) / 2, 1e-6);
  EXPECT_EQ(evaluation.poorest[0][0].id, "4");
}

TEST(ExtractionFigures, DoNotDependOnTheOrderOfPages) {
  const ScoredPages scored = sample_pages();
  ScoredPages reversed = scored;
  std::reverse(reversed.pages.begin(), reversed.pages.end());
  reversed.rates.clear();
  for (std::size_t page = scored.pages.size(); page-- > 0;) {
    for (std::size_t e = 0; e < scored.extractors; ++e) reversed.rates.push_back(scored.of(page, e));
  }
  const ExtractionEvaluation one = figures_of(scored);
  const ExtractionEvaluation other = figures_of(reversed);
  EXPECT_EQ(one.all.scores[0].f1, other.all.scores[0].f1);
  EXPECT_EQ(one.all.scores[0].f1_interval.low, other.all.scores[0].f1_interval.low);
  EXPECT_EQ(one.all.scores[1].f1_difference_interval.high, other.all.scores[1].f1_difference_interval.high);
}

// 400 pages, 300 of them correct: the normal approximation gives .75 +- 1.96 * sqrt(.75 * .25 / 400) = .708 to .792.
// The second extractor is worse by exactly .1 everywhere, so the paired interval has no width.
TEST(ExtractionFigures, IntervalsAreThoseOfTheNormalApproximationAndPaired) {
  ScoredPages scored;
  scored.sources = {"s"};
  scored.page_types = {"unknown"};
  scored.languages = {"en"};
  scored.extractors = 2;
  for (int i = 0; i < 400; ++i) {
    const double f1 = i % 4 == 0 ? 0.5 : 1;
    scored.pages.push_back({std::to_string(i), 0, 0, 0, false});
    scored.rates.push_back({f1, f1, f1});
    scored.rates.push_back({f1 - 0.1, f1 - 0.1, f1 - 0.1});
  }
  const ExtractionEvaluation evaluation = figures_of(scored);
  const ExtractionScores& scores = evaluation.all.scores[0];
  EXPECT_NEAR(scores.correct_interval.low, 0.708, 0.012);
  EXPECT_NEAR(scores.correct_interval.high, 0.792, 0.012);
  EXPECT_NEAR(evaluation.all.scores[1].f1_difference_interval.low, -0.1, 1e-9);
  EXPECT_NEAR(evaluation.all.scores[1].f1_difference_interval.high, -0.1, 1e-9);
}

std::string line_of(const std::string& id, const std::string& rest) {
  return "{\"id\":\"" + id + "\",\"html\":\"<p>one two three four five six seven.</p>\"," + rest + "}\n";
}

TEST(EvaluateExtraction, ReadsGoldPagesAndReportsLinesThatAreNone) {
  const testing::ScratchFile gold(
      "gold.jsonl",
      line_of("a", R"("text":"One two three four five six seven","page_type":"news","language":"en")") +
          line_of("b", R"("text":"one","type":"forum","lang":"en","dataset":"d","tier":"tool-snapshot")") +
          line_of("a", R"("text":"again")") + line_of("c", R"("text":7)") +
          "{\"id\":\"d\",\"text\":\"x\"}\nnot json\n");
  EvaluateExtractionOptions options;
  options.gold = {gold.path()};
  options.extractor = {"whole-page"};
  std::vector<std::string> warnings;
  RunControl control;
  control.warning = [&](std::string_view line) { warnings.emplace_back(line); };
  const Result<ExtractionEvaluation> evaluation = evaluate_extraction(options, control);
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  EXPECT_EQ(evaluation->pages, 2U);
  EXPECT_EQ(evaluation->without_tools.pages, 1U);
  EXPECT_DOUBLE_EQ(evaluation->without_tools.scores[0].f1, 1);
  EXPECT_DOUBLE_EQ(evaluation->all.scores[0].f1, (1 + 0.25) / 2);  // P 1/7, R 1
  EXPECT_EQ(evaluation->by_source.size(), 2U);
  const auto warned = [&](std::string_view line, std::string_view reason) {
    return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& warning) {
      return warning.starts_with(gold.path()) && warning.find(line) != std::string::npos &&
             warning.find(reason) != std::string::npos;
    });
  };
  EXPECT_TRUE(warned("line 3", "'a' has occurred before"));
  EXPECT_TRUE(warned("line 4", "not a string: field \"text\""));
  EXPECT_TRUE(warned("line 5", "missing field \"html\""));
  EXPECT_TRUE(warned("line 6", "bad-json"));
}

TEST(EvaluateExtraction, RefusesUnknownAndRepeatedExtractorsAndInputWithoutPages) {
  const testing::ScratchFile gold("gold.jsonl", "{\"id\":\"a\"}\n");
  EvaluateExtractionOptions options;
  EXPECT_FALSE(options.validate());
  options.gold = {gold.path()};
  EXPECT_FALSE(evaluate_extraction(options));
  options.extractor = {"whole-page", "whole-page"};
  EXPECT_FALSE(options.validate());
  options.extractor = {"whole-book"};
  EXPECT_NE(options.validate().error().message.find("whole-book"), std::string::npos);
}

}  // namespace
}  // namespace paraprint
