#include "lab/simulate/language/formula.h"

#include <gtest/gtest.h>

#include <set>

#include "lab/simulate/shared_text.h"

namespace paraprint {
namespace {

TEST(Formula, PagesOfASeriesShareWordingAndDifferInFacts) {
  std::set<FormulaTopic> topics;
  std::set<ArticleLanguage> languages;
  for (std::uint64_t series = 0; series < 60; ++series) {
    topics.insert(formula_topic(series));
    std::set<std::string> titles;
    std::vector<TextUnits> pages;
    for (std::uint32_t number = 0; number < 12; ++number) {
      const Article article = formula_article(series, number);
      languages.insert(article.language);
      titles.insert(article.title);
      for (const ArticleParagraph& paragraph : article.paragraphs) {
        EXPECT_EQ(paragraph.text.find_first_of("{}|"), std::string::npos) << paragraph.text;
      }
      pages.push_back(text_units(article));
    }
    EXPECT_EQ(titles.size(), 12U);
    for (std::size_t i = 1; i < pages.size(); ++i) {
      const SharedText shared = shared_text(pages[0], pages[i]);
      EXPECT_FALSE(shared.is_same);
      EXPECT_GT(shared.dice, 0.25);  // hard: a good part of the wording is the same
    }
  }
  EXPECT_EQ(topics.size(), kFormulaTopicCount);
  EXPECT_EQ(languages.size(), 2U);
}

TEST(Formula, IsReproducible) {
  EXPECT_EQ(formula_article(5, 3).paragraphs[0].text, formula_article(5, 3).paragraphs[0].text);
  EXPECT_NE(formula_article(5, 3).paragraphs[0].text, formula_article(5, 4).paragraphs[0].text);
}

// A corpus must be the same bytes whichever compiler built the program, so facts of two draws are written down here.
TEST(Formula, FactsDoNotDependOnTheCompiler) {
  EXPECT_EQ(formula_article(0, 0).title, "Albion 5:3 Saints, 1 January 2020");
  EXPECT_NE(formula_article(11, 0).paragraphs[0].text.find("官方指导价25.93元"), std::string::npos);
}

}  // namespace
}  // namespace paraprint
