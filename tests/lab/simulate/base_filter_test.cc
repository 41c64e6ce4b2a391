#include "lab/simulate/base_filter.h"

#include <gtest/gtest.h>

#include "lab/simulate/text_pieces.h"
#include "test_articles.h"

namespace paraprint {
namespace {

TEST(BaseFilter, AcceptsEachUnrelatedArticleOnce) {
  BaseFilter filter;
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    EXPECT_TRUE(filter.accept(test_article(seed, 4 + seed % 40))) << seed;
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    EXPECT_FALSE(filter.accept(test_article(seed, 4 + seed % 40))) << seed;
}

TEST(BaseFilter, RefusesEditedCopiesOfAnyLength) {
  for (const std::size_t paragraphs : {2U, 5U, 30U, 200U}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      BaseFilter filter;
      Article article = test_article(seed, paragraphs);
      ASSERT_TRUE(filter.accept(article));
      article.paragraphs.pop_back();
      article.paragraphs.push_back(test_article(seed + 1000, 1).paragraphs[0]);
      EXPECT_FALSE(filter.accept(article)) << paragraphs << " " << seed;
    }
  }
}

TEST(BaseFilter, RefusesPartsOfLongerArticles) {
  BaseFilter filter;
  Article article = test_article(1, 40);
  ASSERT_TRUE(filter.accept(article));
  article.paragraphs.resize(10);
  EXPECT_FALSE(filter.accept(article));
}

TEST(BaseFilter, RefusesTheSameArticleInAnotherScript) {
  BaseFilter filter;
  Article article = test_article(2, 20, true);
  ASSERT_TRUE(filter.accept(article));
  for (ArticleParagraph& paragraph : article.paragraphs) {
    for (const auto& [simplified, traditional] :
         {std::pair("们", "們"), std::pair("问", "問"), std::pair("发", "發"), std::pair("经", "經"),
          std::pair("学", "學"), std::pair("师", "師"), std::pair("电", "電"), std::pair("软", "軟"),
          std::pair("网", "網"), std::pair("为", "為")}) {
      for (std::size_t at; (at = paragraph.text.find(simplified)) != std::string::npos;) {
        paragraph.text.replace(at, std::string_view(simplified).size(), traditional);
      }
    }
  }
  EXPECT_FALSE(filter.accept(article));
}

TEST(BaseFilter, RefusesTextWithoutWords) {
  BaseFilter filter;
  Article article;
  EXPECT_FALSE(filter.accept(article));
  article.paragraphs.push_back({"......", BlockRole::kParagraph, 0});
  EXPECT_FALSE(filter.accept(article));
}

TEST(CutArticle, PartsKeepTheOrderAndRespectTheSizes) {
  const Article article = test_article(3, 60);
  const std::size_t size = content_size(article);
  constexpr std::uint32_t kLeast = 400;
  constexpr std::uint32_t kMost = 2000;
  const std::vector<Article> parts = cut_article(Article(article), kLeast, kMost);
  ASSERT_GT(parts.size(), 2U);
  EXPECT_EQ(parts[0].title, article.title);
  EXPECT_EQ(parts[1].title, article.title + " (2)");
  std::size_t next = 0;
  for (const Article& part : parts) {
    EXPECT_GE(content_size(part), kLeast);
    EXPECT_LE(content_size(part), kMost + kMost / 4);
    for (const ArticleParagraph& paragraph : part.paragraphs)
      EXPECT_EQ(paragraph.text, article.paragraphs[next++].text);
  }
  EXPECT_GT(next + 10, article.paragraphs.size()) << "only a short last part may be missing; size " << size;
  EXPECT_TRUE(cut_article(Article(article), static_cast<std::uint32_t>(size + 1), 100'000).empty());
}

TEST(ProseArticle, RequiresRunningText) {
  EXPECT_TRUE(is_prose_article(test_article(1)));
  Article article = test_article(1);
  for (ArticleParagraph& paragraph : article.paragraphs) paragraph.role = BlockRole::kTableRow;
  EXPECT_FALSE(is_prose_article(article));
}

}  // namespace
}  // namespace paraprint
