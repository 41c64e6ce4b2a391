// Normalisation and lower case are ICU's, with the rules of the root locale (final sigma included). ASCII text, most of
// what is read, needs neither.
#include "lab/extraction/token_overlap.h"

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "text/icu_allocations.h"
#include "text/utf8.h"

namespace paraprint::inline lab::inline extraction {
namespace {

struct CharacterRange {
  char32_t first;
  char32_t last;
};

// Characters that are tokens by themselves, in ascending order.
constexpr CharacterRange kSingleTokens[] = {
    {0x3005, 0x3005},    // ideographic iteration mark
    {0x3007, 0x3007},    // ideographic number zero
    {0x3040, 0x30FF},    // hiragana, katakana
    {0x31F0, 0x31FF},    // katakana phonetic extensions
    {0x3400, 0x4DBF},    // ideographs, extension A
    {0x4E00, 0x9FFF},    // ideographs
    {0xAC00, 0xD7AF},    // Hangul syllables
    {0xF900, 0xFAFF},    // compatibility ideographs
    {0x20000, 0x3FA1F},  // supplementary ideographs
};

bool is_single_token(char32_t c) {
  if (c < kSingleTokens[0].first) return false;
  return std::any_of(std::begin(kSingleTokens), std::end(kSingleTokens),
                     [c](const CharacterRange& range) { return c >= range.first && c <= range.last; });
}

bool is_word_character(char32_t c) {
  return c == '_' || is_content_character(c);
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

icu::UnicodeString without_long_mark_runs(const icu::UnicodeString& text) {
  icu::UnicodeString kept;
  int in_a_row = 0;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    in_a_row = u_getIntPropertyValue(c, UCHAR_LEAD_CANONICAL_COMBINING_CLASS) != 0 ? in_a_row + 1 : 0;
    if (in_a_row <= kTokenMarksMaximum) kept.append(c);
  }
  return kept;
}

// Failure to normalise can only mean that memory ran out.
std::string normalised_lower_case(std::string_view utf8) {
  const IcuAllocations allocations;
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* const nfkc = icu::Normalizer2::getNFKCInstance(error);
  if (U_FAILURE(error)) throw std::bad_alloc();
  const icu::UnicodeString text =
      icu::UnicodeString::fromUTF8(icu::StringPiece(utf8.data(), static_cast<std::int32_t>(utf8.size())));
  icu::UnicodeString normalised = nfkc->normalize(without_long_mark_runs(text), error);
  if (U_FAILURE(error)) throw std::bad_alloc();
  std::string lowered;
  normalised.toLower(icu::Locale::getRoot()).toUTF8String(lowered);
  allocations.check();
  return lowered;
}

}  // namespace

void TokenMultiset::assign(std::string_view utf8) {
  tokens_.clear();
  if (is_ascii(utf8)) {
    text_.assign(utf8);
    for (char& c : text_) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  } else {
    text_ = normalised_lower_case(utf8);
  }
  split(text_);
  std::sort(tokens_.begin(), tokens_.end());
}

void TokenMultiset::split(std::string_view lowered) {
  const char* const begin = lowered.data();
  const char* const end = begin + lowered.size();
  const char* word = nullptr;  // the start of the run that `at` continues
  const auto end_word = [&](const char* at) {
    if (word != nullptr) tokens_.emplace_back(word, static_cast<std::size_t>(at - word));
    word = nullptr;
  };
  for (const char* at = begin; at < end;) {
    const DecodedCharacter character = decode_character(at, end);
    const char32_t c = character.code_point;
    if (c == kInvalidCharacter || (!is_single_token(c) && !is_word_character(c))) {
      end_word(at);
    } else if (is_single_token(c)) {
      end_word(at);
      tokens_.emplace_back(at, character.size_bytes);
    } else if (word == nullptr) {
      word = at;
    }
    at += character.size_bytes;
  }
  end_word(end);
}

Rates token_overlap(const TokenMultiset& gold, const TokenMultiset& extracted) {
  if (gold.size() == 0 && extracted.size() == 0) return {1, 1, 1};
  std::size_t shared = 0;
  auto one = gold.sorted().begin();
  auto other = extracted.sorted().begin();
  while (one != gold.sorted().end() && other != extracted.sorted().end()) {
    if (*one < *other) {
      ++one;
    } else if (*other < *one) {
      ++other;
    } else {
      ++shared;
      ++one;
      ++other;
    }
  }
  if (shared == 0) return {};
  const double precision = static_cast<double>(shared) / static_cast<double>(extracted.size());
  const double recall = static_cast<double>(shared) / static_cast<double>(gold.size());
  return {precision, recall, 2 * precision * recall / (precision + recall)};
}

}  // namespace paraprint::inline lab::inline extraction
