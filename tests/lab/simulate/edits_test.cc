// Checks what each edit guarantees about the resulting text.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "lab/simulate/edit.h"
#include "lab/simulate/language/word_swaps.h"
#include "lab/simulate/shared_text.h"
#include "lab/simulate/text_pieces.h"
#include "test_articles.h"

namespace paraprint {
namespace {

const EditRow& row_of(std::string_view name) {
  const auto found =
      std::find_if(edit_rows().begin(), edit_rows().end(), [&](const EditRow& row) { return row.info.name == name; });
  EXPECT_NE(found, edit_rows().end()) << name;
  return *found;
}

struct Edited {
  PageDraft draft;
  std::vector<std::uint32_t> places;
  std::uint64_t changes = 0;
};

class Edits : public testing::Test {
 protected:
  Edits() {
    for (std::uint64_t seed = 100; seed < 106; ++seed) articles_.push_back(test_article(seed, 8, seed % 2 == 0));
    for (const Article& article : articles_) {
      material_.companions.push_back(&article);
      material_.donors.push_back(&article);
    }
  }

  Edited apply(std::string_view name, const Article& article, double strength, std::uint64_t seed = 7) {
    Edited edited;
    edited.draft.article = article;
    edited.draft.bases = {article.base};
    edited.draft.part_count = name == kPaginationEdit ? pagination_parts(strength) : 1;
    EditContext context{edited.draft, strength, Random(seed), material_, converter_, {}, 0, {}};
    row_of(name).apply(context);
    edited.places = context.places;
    edited.changes = context.changes;
    return edited;
  }

  std::vector<Article> articles_;
  EditMaterial material_;
  ScriptConverter converter_;
};

std::multiset<std::string> texts_of(const Article& article) {
  std::multiset<std::string> texts;
  for (const ArticleParagraph& paragraph : article.paragraphs) texts.insert(paragraph.text);
  return texts;
}

TEST_F(Edits, AreReproducibleAndReportPlacesInOrder) {
  for (const EditRow& row : edit_rows()) {
    for (const bool is_chinese : {false, true}) {
      const Article article = test_article(1, 10, is_chinese);
      if (!row.applies(article)) continue;
      const Edited first = apply(row.info.name, article, 0.5);
      const Edited second = apply(row.info.name, article, 0.5);
      EXPECT_EQ(texts_of(first.draft.article), texts_of(second.draft.article)) << row.info.name;
      EXPECT_EQ(first.changes, second.changes);
      EXPECT_TRUE(std::is_sorted(first.places.begin(), first.places.end())) << row.info.name;
      EXPECT_EQ(std::set<std::uint32_t>(first.places.begin(), first.places.end()).size(), first.places.size());
      EXPECT_FALSE(first.draft.article.paragraphs.empty()) << row.info.name;
      for (const std::uint32_t place : first.places) EXPECT_LT(place, article.paragraphs.size()) << row.info.name;
    }
  }
}

TEST_F(Edits, PageEditsDoNotChangeTheArticle) {
  for (const EditRow& row : edit_rows()) {
    if (row.phase != EditPhase::kPage && row.phase != EditPhase::kCopy) continue;
    const Article article = test_article(2, 6, true);
    EXPECT_EQ(texts_of(apply(row.info.name, article, 1).draft.article), texts_of(article)) << row.info.name;
  }
}

TEST_F(Edits, ParagraphBordersKeepEveryWord) {
  const Article article = test_article(3, 12);
  const Edited edited = apply("paragraph-borders", article, 1);
  EXPECT_EQ(text_units(edited.draft.article).units, text_units(article).units);
  EXPECT_NE(texts_of(edited.draft.article), texts_of(article));
}

TEST_F(Edits, ParagraphOrderMovesTheRequestedShare) {
  const Article article = test_article(4, 10);
  for (const double strength : {0.1, 0.5, 1.0}) {
    const Edited edited = apply("paragraph-order", article, strength);
    EXPECT_EQ(texts_of(edited.draft.article), texts_of(article));
    std::size_t moved = 0;
    for (std::size_t i = 0; i < article.paragraphs.size(); ++i) {
      moved += edited.draft.article.paragraphs[i].text != article.paragraphs[i].text ? 1 : 0;
    }
    EXPECT_EQ(moved, std::max<std::size_t>(2, static_cast<std::size_t>(strength * 10 + 0.5)));
    EXPECT_EQ(edited.places.size(), moved);
  }
}

TEST_F(Edits, ParagraphDeletionDeletesTheRequestedShare) {
  const Article article = test_article(5, 10);
  EXPECT_EQ(apply("paragraph-deletion", article, 0.3).draft.article.paragraphs.size(), 7U);
  EXPECT_EQ(apply("paragraph-deletion", article, 1).draft.article.paragraphs.size(), 1U);
}

TEST_F(Edits, RemainingShareFollowsTheStrength) {
  const Article article = test_article(6, 40);
  const TextUnits whole = text_units(article);
  for (const std::string_view name : {"truncation", "excerpt", "sentence-deletion"}) {
    double before = 1;
    for (const double strength : {0.1, 0.4, 0.8}) {
      const double left = shared_text(whole, text_units(apply(name, article, strength).draft.article)).containment_a;
      EXPECT_NEAR(left, 1 - strength, 0.15) << name << " " << strength;
      EXPECT_LT(left, before);
      before = left;
    }
  }
}

TEST_F(Edits, PaginationPartsAddUpToTheArticle) {
  const Article article = test_article(7, 9);
  std::multiset<std::string> all;
  const std::uint32_t parts = pagination_parts(0.7);
  ASSERT_EQ(parts, 4U);
  for (std::uint32_t part = 0; part < parts; ++part) {
    PageDraft draft;
    draft.article = article;
    draft.part = part;
    draft.part_count = parts;
    EditContext context{draft, 0.7, Random(1), material_, converter_, {}, 0, {}};
    edit_pagination(context);
    all.merge(texts_of(draft.article));
  }
  EXPECT_EQ(all, texts_of(article));
}

TEST_F(Edits, DigestContainsEveryArticle) {
  const Edited edited = apply("digest", articles_[0], 1);
  ASSERT_EQ(edited.draft.bases.size(), 4U);
  const TextUnits digest = text_units(edited.draft.article);
  for (const std::uint32_t base : edited.draft.bases) {
    EXPECT_GT(shared_text(text_units(articles_[base - 100]), digest).containment_a, 0.99);
  }
}

TEST_F(Edits, InsertionKeepsTheTextAndAddsTheRequestedShare) {
  const Article article = test_article(8, 20);
  const Edited edited = apply("insertion", article, 0.4);
  const SharedText shared = shared_text(text_units(article), text_units(edited.draft.article));
  EXPECT_GT(shared.containment_a, 0.9);
  EXPECT_NEAR(shared.containment_b, 1 / 1.4, 0.08);
}

TEST_F(Edits, SynonymsComeFromTheSameGroup) {
  Article article;
  article.paragraphs.push_back(
      {"However, this is an important problem. Use a quick method.", BlockRole::kParagraph, 0});
  detect_language(article);
  const std::string text = apply("synonyms", article, 1).draft.article.paragraphs[0].text;
  const WordPieces before = word_pieces(article.paragraphs[0].text);
  const WordPieces after = word_pieces(text);
  ASSERT_EQ(before.word_count(), after.word_count());
  std::size_t replaced = 0;
  for (std::size_t word = 1; word < before.pieces.size(); word += 2) {
    const std::string old_word = lower_ascii(before.pieces[word]);
    const std::string new_word = lower_ascii(after.pieces[word]);
    if (old_word == new_word || old_word == "a" || old_word == "an") continue;
    EXPECT_EQ(synonyms_of(old_word).data(), synonyms_of(new_word).data());
    ++replaced;
  }
  EXPECT_EQ(replaced, 6U) << text;
  EXPECT_EQ(text.find("a important"), std::string::npos);
}

TEST_F(Edits, OnlyEnglishAmongLatinTextsGetsEnglishWords) {
  const auto language_of = [](std::string_view text) {
    Article article;
    article.paragraphs.push_back({std::string(text), BlockRole::kParagraph, 0});
    detect_language(article);
    return article.language;
  };
  EXPECT_EQ(language_of("The server reads the file, and this is all."), ArticleLanguage::kEnglish);
  EXPECT_EQ(language_of("Der Server liest die Datei, und das ist alles."), ArticleLanguage::kOther);
  EXPECT_EQ(language_of("El servidor lee los archivos de la carpeta."), ArticleLanguage::kOther);
  EXPECT_EQ(language_of("Reads files, then stops."), ArticleLanguage::kEnglish);
}

TEST_F(Edits, StrengthOfWordEditsIsTheShareOfWords) {
  const Article article = test_article(9, 60);
  for (const std::string_view name : {"word-substitution", "typos"}) {
    std::size_t words = 0;
    for (const ArticleParagraph& paragraph : article.paragraphs) words += word_pieces(paragraph.text).word_count();
    const double share = static_cast<double>(apply(name, article, 0.2).changes) / static_cast<double>(words);
    EXPECT_NEAR(share, 0.2, 0.04) << name;
  }
}

TEST_F(Edits, ScriptConvertsPhrasesInContext) {
  if (!converter_.check()) GTEST_SKIP() << "no OpenCC data";
  Article article;
  article.paragraphs.push_back({"头发很长，发展很快。", BlockRole::kParagraph, 0});
  detect_language(article);
  EXPECT_EQ(apply("script", article, 1).draft.article.paragraphs[0].text, "頭髮很長，發展很快。");
}

TEST_F(Edits, WidthChangesNothingButCharacterWidth) {
  Article article;
  article.paragraphs.push_back({"共3天，ABC。", BlockRole::kParagraph, 0});
  detect_language(article);
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    seen.insert(apply("width", article, 1, seed).draft.article.paragraphs[0].text);
  EXPECT_EQ(seen, (std::set<std::string>{"共３天，ＡＢＣ。", "共3天,ABC."}));
}

TEST_F(Edits, RewritingSwapsClauses) {
  Article article;
  article.paragraphs.push_back({"If the rain stops, we go out.", BlockRole::kParagraph, 0});
  detect_language(article);
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    seen.insert(apply("rewriting", article, 1, seed).draft.article.paragraphs[0].text);
  }
  EXPECT_TRUE(seen.contains("We go out if the rain stops."));
}

// A corpus must be the same bytes whichever compiler built the program, so a date of three draws is written down here.
TEST_F(Edits, DatelinesDoNotDependOnTheCompiler) {
  const Edited edited = apply("dateline", articles_[1], 0.5);
  EXPECT_EQ(edited.draft.lead_lines, (std::vector<std::string>{"Published 2015-07-26", "54829 views"}));
}

}  // namespace
}  // namespace paraprint
