// Guesses an article's language and script from its characters alone. The guess selects phrase lists, synonym lists and
// rewriting rules, so it only has to tell Chinese, English and everything else apart; it deliberately does not use the
// detector's language handling.
#include "lab/simulate/language/article.h"

#include <algorithm>
#include <array>

#include "text/normalise.h"
#include "text/utf8.h"

namespace paraprint::inline lab::inline simulate::inline language {
namespace {

// Minimum share of content characters for a text to count as Chinese (Han) or English (ASCII).
constexpr double kHanShare = 0.3;
constexpr double kAsciiShare = 0.9;
// Frequent words of English, and of German, Spanish, French, Portuguese, Italian and Dutch, which have enough ASCII.
constexpr std::array<std::string_view, 10> kEnglishWords = {"the",  "of",  "and",  "to",  "is",
                                                            "that", "for", "with", "are", "this"};
constexpr std::array<std::string_view, 24> kOtherWords = {"de",  "la",  "que", "el",  "los", "en",  "der", "die",
                                                          "und", "das", "mit", "den", "le",  "les", "et",  "des",
                                                          "os",  "um",  "di",  "che", "il",  "het", "een", "van"};
// Minimum share of Han characters with a different Simplified form for a text to count as Traditional; Simplified text
// has next to none. Also the maximum share of kana in Chinese text.
constexpr double kTraditionalShare = 0.05;

struct CharacterCounts {
  std::size_t content = 0;
  std::size_t han = 0;
  std::size_t kana_and_others = 0;
  std::size_t ascii = 0;
};

// Counts content characters (letters and digits) only: punctuation, spaces and
// invalid bytes say nothing about language.
CharacterCounts count(std::string_view text) {
  CharacterCounts counts;
  const char* end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) {
    const DecodedCharacter c = decode_character(p, end);
    p += c.size_bytes;
    if (c.code_point == kInvalidCharacter || !is_content_character(c.code_point)) continue;
    ++counts.content;
    if (is_han(c.code_point)) ++counts.han;
    if (c.code_point < 0x80) ++counts.ascii;
    const CharacterClass kind = character_class(c.code_point);
    if (kind == CharacterClass::kHiragana || kind == CharacterClass::kKatakana) ++counts.kana_and_others;
  }
  return counts;
}

// Whether frequent words of other languages outnumber the English ones; not if there are neither.
bool is_other_latin(std::string_view text) {
  std::size_t english = 0;
  std::size_t other = 0;
  const auto count_word = [&](std::string_view word) {
    english += std::find(kEnglishWords.begin(), kEnglishWords.end(), word) != kEnglishWords.end() ? 1 : 0;
    other += std::find(kOtherWords.begin(), kOtherWords.end(), word) != kOtherWords.end() ? 1 : 0;
  };
  std::string word;
  for (const char c : text) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_capital || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80) {
      word.push_back(is_capital ? static_cast<char>(c - 'A' + 'a') : c);
    } else {
      count_word(word);
      word.clear();
    }
  }
  count_word(word);
  return other > english;
}

// Compares two texts character by character. The texts are two normalisations of one text that differ in mapping single
// characters, so they stay aligned.
std::size_t differing_characters(std::string_view a, std::string_view b) {
  std::size_t differing = 0;
  const char* p = a.data();
  const char* q = b.data();
  const char* a_end = p + a.size();
  const char* b_end = q + b.size();
  while (p < a_end && q < b_end) {
    const DecodedCharacter c = decode_character(p, a_end);
    const DecodedCharacter d = decode_character(q, b_end);
    p += c.size_bytes;
    q += d.size_bytes;
    differing += c.code_point != d.code_point ? 1 : 0;
  }
  return differing;
}

}  // namespace

std::string_view language_name(ArticleLanguage language) {
  switch (language) {
    case ArticleLanguage::kChinese:
      return "zh";
    case ArticleLanguage::kEnglish:
      return "en";
    case ArticleLanguage::kOther:
      break;
  }
  return "other";
}

std::string_view charset_declaration_name(CharsetDeclaration declaration) {
  switch (declaration) {
    case CharsetDeclaration::kHeaderAndMeta:
      return "header-and-meta";
    case CharsetDeclaration::kHeaderOnly:
      return "header-only";
    case CharsetDeclaration::kMetaOnly:
      return "meta-only";
    case CharsetDeclaration::kNone:
      return "none";
    case CharsetDeclaration::kLyingMeta:
      break;
  }
  return "lying-meta";
}

std::size_t Article::size_bytes() const {
  std::size_t size = 0;
  for (const ArticleParagraph& paragraph : paragraphs) size += paragraph.text.size();
  return size;
}

void detect_language(Article& article) {
  std::string text;
  for (const ArticleParagraph& paragraph : article.paragraphs) text.append(paragraph.text).push_back('\n');
  const CharacterCounts counts = count(text);
  const auto content = static_cast<double>(counts.content);
  // Japanese text can reach the Han share, too; its kana give it away.
  article.is_traditional = false;
  const bool has_kana = static_cast<double>(counts.kana_and_others) > kTraditionalShare * content;
  if (!has_kana && static_cast<double>(counts.han) >= kHanShare * content && counts.han > 0) {
    article.language = ArticleLanguage::kChinese;
    // A character is Traditional if folding changes it. Both sides are normalised, so
    // that the other normalisations cancel out.
    const std::size_t traditional = differing_characters(Normaliser({.fold_traditional = true}).normalised(text),
                                                         Normaliser({.fold_traditional = false}).normalised(text));
    article.is_traditional = static_cast<double>(traditional) > kTraditionalShare * static_cast<double>(counts.han);
  } else if (static_cast<double>(counts.ascii) >= kAsciiShare * content && !is_other_latin(text)) {
    article.language = ArticleLanguage::kEnglish;
  } else {
    article.language = ArticleLanguage::kOther;
  }
}

}  // namespace paraprint::inline lab::inline simulate::inline language
