// The simulator's plain data: an article, and the draft of a page that shows it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/model.h"

namespace paraprint::inline lab::inline simulate::inline language {

enum class ArticleLanguage : std::uint8_t { kChinese, kEnglish, kOther };
std::string_view language_name(ArticleLanguage language);  // "zh", "en", "other"

struct ArticleParagraph {
  std::string text;  // UTF-8 without line ends, except in code
  BlockRole role = BlockRole::kParagraph;
  std::uint8_t heading_level = 0;
};

struct Article {
  std::uint32_t base = 0;  // index among the corpus's base articles
  std::string title;
  ArticleLanguage language = ArticleLanguage::kOther;
  bool is_traditional = false;  // Chinese in Traditional characters
  std::vector<ArticleParagraph> paragraphs;

  std::size_t size_bytes() const;  // total of all paragraphs
};

// Sets the article's language and script from the shares of its characters.
void detect_language(Article& article);

// The markup of running paragraphs.
enum class ParagraphMarkup : std::uint8_t {
  kParagraphs,    // <p>
  kLineBreaks,    // separated by <br><br>
  kSingleBreaks,  // separated by <br>, each indented
  kDivisions,     // <div>
  kFontTags,      // <p><font>, as old pages and word processors write
  kSections,      // <section><p><span>
};
inline constexpr std::size_t kParagraphMarkupCount = 6;

enum class CharsetDeclaration : std::uint8_t { kHeaderAndMeta, kHeaderOnly, kMetaOnly, kNone, kLyingMeta };
inline constexpr std::size_t kCharsetDeclarationCount = 5;
std::string_view charset_declaration_name(CharsetDeclaration declaration);

// A page before it is rendered.
struct PageDraft {
  Article article;
  std::vector<std::uint32_t> bases;     // source articles; the first is `article`
  std::vector<std::string> lead_lines;  // date, author, source; above the text
  std::vector<std::string> end_lines;   // source, editor, links; below the text
  // Statements of the page (statements.h), written as they are: into <head>, above and below the text.
  std::vector<std::string> head_markup;
  std::vector<std::string> lead_markup;
  std::vector<std::string> end_markup;
  std::vector<std::string> comments;
  std::uint32_t part = 0;  // index among the pages of a paginated article
  std::uint32_t part_count = 1;

  std::uint32_t site = 0;
  std::uint32_t mirror = 0;     // another host with the site's template; 0: the site itself
  double chrome_share = 0.5;    // amount of navigation and advertising around the text, in [0, 1]
  bool has_own_markup = false;  // use `markup` instead of the site's
  ParagraphMarkup markup = ParagraphMarkup::kParagraphs;

  std::string charset = "utf-8";
  CharsetDeclaration declaration = CharsetDeclaration::kHeaderAndMeta;
};

}  // namespace paraprint::inline lab::inline simulate::inline language
