// Edits of the page around the text: comments, datelines, markup, charset. For `template`, GroupMaker::make_copies()
// chooses the other site; the edit only sets how much navigation and advertising there is.
#include <fmt/format.h>

#include <algorithm>

#include "lab/simulate/charset_encode.h"
#include "lab/simulate/language/phrases.h"
#include "lab/simulate/text_pieces.h"
#include "text/utf8.h"

namespace paraprint::inline lab::inline simulate {
namespace {

// Continues after the replacement, which may contain `from` itself.
void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t place = text.find(from); place != std::string::npos; place = text.find(from, place + to.size())) {
    text.replace(place, from.size(), to);
  }
}

// A random word of two or more characters, to make comments refer to the article; its title if none is found.
std::string some_word(EditContext& context) {
  constexpr std::size_t kTries = 20;  // articles of symbols or code may have no such word
  const std::vector<ArticleParagraph>& paragraphs = context.draft.article.paragraphs;
  for (std::size_t attempt = 0; attempt < kTries && !paragraphs.empty(); ++attempt) {
    const WordPieces cut = word_pieces(context.random.pick(paragraphs).text);
    if (cut.word_count() == 0) continue;
    const std::string_view word = cut.pieces[1 + 2 * context.random.below(cut.word_count())];
    if (characters(word).size() >= 2) return std::string(word);
  }
  return context.draft.article.title;
}

// Days up to 28 exist in every month. The day is drawn first, as corpora made so far have it.
std::string some_date(Random& random) {
  const std::size_t day = random.between(1, 28);
  const std::size_t month = random.between(1, 12);
  const std::size_t year = random.between(2008, 2024);
  return fmt::format("{}-{:02}-{:02}", year, month, day);
}

std::string dateline(EditContext& context) {
  const ArticleLanguage language = context.draft.article.language;
  std::string line(context.random.pick(dateline_phrases(language)));
  constexpr std::size_t kMostViews = 99'999;
  replace_all(line, "{date}", some_date(context.random));
  replace_all(line, "{name}", context.random.pick(person_names(language)));
  replace_all(line, "{site}", context.random.pick(navigation_words(language)));
  replace_all(line, "{number}", fmt::format("{}", context.random.between(1, kMostViews)));
  return line;
}

enum class EastAsian : std::uint8_t { kNone, kJapanese, kKorean };

// By the first kana or Hangul syllable: the charsets of Japan and Korea also have Cyrillic and Greek letters, but no
// site writes Russian in them.
EastAsian east_asian_language(const Article& article) {
  for (const ArticleParagraph& paragraph : article.paragraphs) {
    const char* end = paragraph.text.data() + paragraph.text.size();
    for (const char* p = paragraph.text.data(); p < end;) {
      const DecodedCharacter c = decode_character(p, end);
      p += c.size_bytes;
      const CharacterClass kind = character_class(c.code_point);
      if (kind == CharacterClass::kHiragana || kind == CharacterClass::kKatakana) return EastAsian::kJapanese;
      if (c.code_point >= 0xAC00 && c.code_point <= 0xD7A3) return EastAsian::kKorean;
    }
  }
  return EastAsian::kNone;
}

// Plausible charsets for the language and script, in random order.
std::vector<std::string_view> charsets_for(const Article& article, Random& random) {
  std::vector<std::string_view> charsets;
  if (article.language == ArticleLanguage::kChinese && article.is_traditional) {
    charsets = {"big5", "gb18030", "utf-16le"};
  } else if (article.language == ArticleLanguage::kChinese) {
    charsets = {"gb2312", "gbk", "gb18030", "utf-16le"};
  } else if (article.language == ArticleLanguage::kEnglish) {
    charsets = {"windows-1252", "iso-8859-1", "utf-16be"};
  } else if (const EastAsian language = east_asian_language(article); language == EastAsian::kJapanese) {
    charsets = {"shift_jis", "euc-jp"};
  } else if (language == EastAsian::kKorean) {
    charsets = {"euc-kr"};
  } else {
    charsets = {"windows-1252", "windows-1250", "windows-1251", "windows-1253",
                "windows-1254", "windows-1256", "windows-874",  "koi8-r"};
  }
  random.shuffle(charsets);
  return charsets;
}

}  // namespace

void edit_template(EditContext& context) {
  context.draft.chrome_share = context.strength;
  ++context.changes;
}

void edit_markup(EditContext& context) {
  context.draft.has_own_markup = true;
  context.draft.markup = static_cast<ParagraphMarkup>(context.random.below(kParagraphMarkupCount));
  ++context.changes;
}

void edit_comments(EditContext& context) {
  constexpr std::size_t kMostComments = 24;
  const ArticleLanguage language = context.draft.article.language;
  const std::size_t count = share_of(kMostComments, context.strength, 1, kMostComments);
  for (std::size_t i = 0; i < count; ++i) {
    std::string comment;
    for (std::size_t sentence = context.random.between(1, 3); sentence > 0; --sentence) {
      // Some comments quote a word of the article, as real comments do, so they are not unrelated to the text.
      std::string phrase(context.random.pick(comment_phrases(language)));
      if (phrase.find("{}") != std::string::npos) replace_all(phrase, "{}", some_word(context));
      if (!comment.empty()) comment += sentence_gap(language);
      comment += phrase;
    }
    context.draft.comments.push_back(std::move(comment));
    ++context.changes;
  }
}

void edit_dateline(EditContext& context) {
  constexpr std::size_t kMostLines = 6;
  const std::size_t count = share_of(kMostLines, context.strength, 1, kMostLines);
  for (std::size_t i = 0; i < count; ++i) {
    (context.random.chance(0.6) ? context.draft.lead_lines : context.draft.end_lines).push_back(dateline(context));
    ++context.changes;
  }
}

void edit_charset(EditContext& context) {
  // At most this share of non-ASCII characters may become references; otherwise the next charset is tried. If none
  // fits, the page stays UTF-8.
  constexpr double kReferencesShare = 0.02;
  PageDraft& draft = context.draft;
  std::string text;
  for (const ArticleParagraph& paragraph : draft.article.paragraphs) text += paragraph.text;
  for (const std::string_view charset : charsets_for(draft.article, context.random)) {
    const EncodedPage encoded = encode_page(text, charset);
    if (static_cast<double>(encoded.references) > kReferencesShare * static_cast<double>(encoded.characters)) continue;
    draft.charset = charset;
    break;
  }
  // Strength picks the declaration, from correct to misleading in equal steps. UTF-16
  // remains recognisable by its byte-order mark.
  const auto step = static_cast<std::size_t>(context.strength * kCharsetDeclarationCount);
  draft.declaration = static_cast<CharsetDeclaration>(std::min(step, kCharsetDeclarationCount - 1));
  context.note = fmt::format("{}, {}", draft.charset, charset_declaration_name(draft.declaration));
  ++context.changes;
}

}  // namespace paraprint::inline lab::inline simulate
