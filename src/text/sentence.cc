// A single pass that skips, eight bytes at a time, bytes that cannot begin a sentence end or a line end, and decodes
// only the remaining characters. The rules are local: an edit in one sentence does not move the boundaries of others,
// which is what makes sentence hashes comparable between pages.
#include "text/sentence.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "text/utf8.h"

namespace paraprint::inline text {
namespace {

// In lower case and sorted for binary search. English, with a few German and French ones.
constexpr std::array<std::string_view, 48> kAbbreviations = {
    "al",   "approx", "apr",  "art", "aug", "bzw",  "ca",     "capt", "cf",  "ch",  "co",  "col",
    "corp", "dec",    "dept", "dr",  "ed",  "eds",  "eq",     "esp",  "est", "etc", "feb", "fig",
    "gen",  "gov",    "inc",  "jan", "jr",  "ltd",  "messrs", "mr",   "mrs", "ms",  "mt",  "no",
    "nov",  "nr",     "oct",  "op",  "pp",  "prof", "rev",    "sept", "sr",  "st",  "vol", "vs"};

// Bit n of an entry: there is an abbreviation of n letters that begins with this letter. Tells nearly all other words
// from abbreviations, without comparing any.
constexpr std::array<std::uint32_t, 26> make_abbreviation_sizes() {
  std::array<std::uint32_t, 26> sizes{};
  for (const std::string_view word : kAbbreviations) {
    sizes[static_cast<std::size_t>(word[0] - 'a')] |= std::uint32_t{1} << word.size();
  }
  return sizes;
}

constexpr std::array<std::uint32_t, 26> kAbbreviationSizes = make_abbreviation_sizes();

// Unicode's White_Space property, spelled out, because the compiled character tables do not contain it.
bool is_white_space(char32_t c) {
  if (c > 0xA0 && c < 0x1680) return false;  // the letters of most alphabets
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || c == 0x85 || c == 0xA0 || c == 0x3000 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F;
}

bool is_line_end(char32_t c) {
  return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029;
}

// Punctuation that ends a sentence regardless of what follows.
bool is_full_end(char32_t c) {
  switch (c) {
    case 0x3002:  // 。
    case 0xFF01:  // ！
    case 0xFF1F:  // ？
    case 0xFF1B:  // ；
    case 0xFF61:  // ｡
    case 0x2026:  // …
    case 0x203C:  // ‼
    case 0x2047:  // ⁇
    case 0x2048:  // ⁈
    case 0x2049:  // ⁉
    case 0x0964:  // Devanagari danda
    case 0x0965:
    case 0x061B:  // Arabic semicolon
    case 0x061F:  // Arabic question mark
    case 0x06D4:  // Arabic full stop
      return true;
    default:
      return false;
  }
}

// Punctuation that ends a sentence only in certain contexts, because it also occurs in numbers, URLs and abbreviations.
bool is_ascii_end(char32_t c) {
  return c == '!' || c == '?' || c == ';' || c == '.';
}

// Letters of scripts without case: those without spaces between words, Hangul, and the blocks from Hebrew and Arabic to
// the Ethiopic one with the presentation forms.
bool has_no_case(char32_t c) {
  if (character_class(c) != CharacterClass::kWord) return true;
  return (c >= 0x0590 && c <= 0x139F) || (c >= 0x3100 && c <= 0x318F) || (c >= 0xAC00 && c <= 0xD7FF) ||
         (c >= 0xFB1D && c <= 0xFDFF) || (c >= 0xFE70 && c <= 0xFEFF);
}

// Quotes and brackets that belong to the sentence they close.
bool is_closing(char32_t c) {
  switch (c) {
    case '"':
    case '\'':
    case ')':
    case ']':
    case 0x2019:  // ’
    case 0x201D:  // ”
    case 0x00BB:  // »
    case 0x300B:  // 》
    case 0x300D:  // 」
    case 0x300F:  // 』
    case 0x3011:  // 】
    case 0xFF09:  // ）
    case 0xFF02:  // ＂
      return true;
    default:
      return false;
  }
}

bool is_opening_quote(char32_t c) {
  return c == '"' || c == '\'' || c == '(' || c == '[' || c == 0x2018 || c == 0x201C || c == 0xAB || c == 0x300C ||
         c == 0x300E || c == 0x300A || c == 0xFF08;
}

// Where a very long sentence may be split.
bool is_soft_end(char32_t c) {
  return c == ',' || c == 0xFF0C || c == 0x3001 || c == ':' || c == 0xFF1A || is_white_space(c);
}

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Bytes that can begin a character that ends a sentence or line; all others are skipped.
constexpr std::array<bool, 256> make_end_bytes() {
  std::array<bool, 256> bytes{};
  for (const unsigned char byte : {'\n', '\r', '.', '!', '?', ';'}) bytes[byte] = true;
  // Lead bytes of U+061B and U+061F, U+06D4, U+0964, U+2026 to U+2049, U+3002, U+FF01 to U+FF61.
  for (const std::size_t byte : {0xD8, 0xDB, 0xE0, 0xE2, 0xE3, 0xEF}) bytes[byte] = true;
  return bytes;
}

constexpr std::array<bool, 256> kEndBytes = make_end_bytes();

// Whether each of eight bytes is a space or an ASCII character from '@' on, none of which is an end byte. Bytes are
// compared in one number: a sum that cannot carry into the next byte sets the highest bit of those that differ.
bool are_letters_and_spaces(const char* bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  const auto differing = [](std::uint64_t difference) {
    return ((difference & 0x7F * kOnes) + 0x7F * kOnes) | difference;
  };
  const std::uint64_t no_letters = differing((word ^ 0x40 * kOnes) & 0xC0 * kOnes);
  const std::uint64_t no_spaces = differing(word ^ 0x20 * kOnes);
  return (no_letters & no_spaces & 0x80 * kOnes) == 0;
}

class Splitter {
 public:
  Splitter(std::string_view text, std::vector<TextSpan>& spans)
      : text_(text), size_(static_cast<std::uint32_t>(text.size())), spans_(spans) {}

  // A newline takes precedence over all other rules; soft ends matter only in long sentences.
  void run() {
    while (pass_over()) {
      const DecodedCharacter character = decode(position_);
      const char32_t c = character.code_point;
      position_ += character.size_bytes;
      if (is_line_end(c)) {
        cut(position_);
      } else if (is_full_end(c)) {
        take_closing();
        cut(position_);
      } else if (is_ascii_end(c)) {
        take_ascii_end(c);
      } else if (is_soft_end(c) && is_long()) {
        cut(position_);
      }
    }
    cut(size_);
  }

 private:
  // Moves to the next character to be examined; false at the end of the text. Once the sentence may be too long (its
  // bytes reach the limit on characters), every character is examined.
  bool pass_over() {
    const auto limit =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(size_, std::uint64_t{begin_} + kLongSentenceCharacters));
    constexpr std::uint32_t kStepBytes = 8;  // tested together, with a single branch
    const auto is_end_byte = [this](std::uint32_t at) { return kEndBytes[static_cast<unsigned char>(text_[at])]; };
    while (position_ + kStepBytes <= limit) {
      if (!are_letters_and_spaces(&text_[position_])) {
        std::uint32_t end_bytes = 0;  // bit i: byte i is one
        for (std::uint32_t i = 0; i < kStepBytes; ++i) end_bytes |= std::uint32_t{is_end_byte(position_ + i)} << i;
        if (end_bytes != 0) {
          position_ += static_cast<std::uint32_t>(std::countr_zero(end_bytes));
          return true;
        }
      }
      position_ += kStepBytes;
    }
    while (position_ < limit && !is_end_byte(position_)) ++position_;
    return position_ < size_;
  }

  // Whether the sentence has reached its maximum length. Each call counts only the characters since the last call.
  bool is_long() {
    while (counted_ < position_) {
      characters_ += (text_[counted_] & 0xC0) != 0x80 ? 1 : 0;
      ++counted_;
    }
    return characters_ >= kLongSentenceCharacters;
  }

  DecodedCharacter decode(std::uint32_t position) const {
    return decode_character(text_.data() + position, text_.data() + size_);
  }

  // Further end punctuation and closing quotes and brackets belong to the sentence.
  void take_closing() {
    while (position_ < size_) {
      const DecodedCharacter next = decode(position_);
      if (!is_full_end(next.code_point) && !is_ascii_end(next.code_point) && !is_closing(next.code_point)) return;
      position_ += next.size_bytes;
    }
  }

  // Decides from what follows. An ellipsis ("...") is not a lone stop and may follow an abbreviation.
  void take_ascii_end(char32_t first) {
    const std::uint32_t end_begin = position_ - 1;  // of the full stop
    const bool is_lone_stop = first == '.' && (position_ >= size_ || text_[position_] != '.');
    take_closing();
    if (position_ >= size_) return;
    const DecodedCharacter next = decode(position_);
    const bool is_end = is_white_space(next.code_point) ? begins_sentence_behind_space(first) : is_han(next.code_point);
    if (!is_end || (is_lone_stop && follows_abbreviation(end_begin))) return;
    cut(position_);
  }

  // Whether the text after the white space at position_ may begin a sentence. Only a full stop is ambiguous.
  bool begins_sentence_behind_space(char32_t end) const {
    if (end != '.') return true;
    std::uint32_t position = position_;
    while (position < size_) {
      const DecodedCharacter next = decode(position);
      if (!is_white_space(next.code_point)) {
        // Where letters have no case, any of them may begin a sentence.
        const char32_t c = next.code_point;
        return is_upper_case(c) || (c >= '0' && c <= '9') || is_opening_quote(c) || is_closing(c) ||
               (is_content_character(c) && has_no_case(c));
      }
      position += next.size_bytes;
    }
    return true;
  }

  // Whether the word before the full stop at `stop` is an abbreviation or an initial.
  bool follows_abbreviation(std::uint32_t stop) const {
    constexpr std::size_t kLongestAbbreviation = 8;
    std::uint32_t begin = stop;
    char lower[kLongestAbbreviation];
    while (begin > 0 && stop - begin < kLongestAbbreviation && is_ascii_letter(text_[begin - 1])) --begin;
    const std::uint32_t size = stop - begin;
    if (size == 0 || (begin > 0 && is_ascii_letter(text_[begin - 1]))) return false;
    if (begin > 0 && static_cast<unsigned char>(text_[begin - 1]) >= 0x80) return false;
    // "J. Smith", "U.S. Army", "e.g. This". Missing the end of "plan B." does less harm. "I" is a word.
    if (size == 1) return text_[begin] != 'I';
    const auto initial = static_cast<std::size_t>((text_[begin] | 0x20) - 'a');
    if ((kAbbreviationSizes[initial] >> size & 1) == 0) return false;
    // Setting the case bit is enough, because all characters are ASCII letters.
    std::transform(text_.begin() + begin, text_.begin() + stop, lower,
                   [](char c) { return static_cast<char>(c | 0x20); });
    return std::binary_search(kAbbreviations.begin(), kAbbreviations.end(), std::string_view(lower, size));
  }

  // Ends the sentence at `end` and begins the next one there.
  void cut(std::uint32_t end) {
    TextSpan span{begin_, end};
    begin_ = end;
    counted_ = end;
    characters_ = 0;
    trim(span);
    if (span.begin_bytes < span.end_bytes) spans_.push_back(span);
  }

  // Removes white space at both ends; steps backwards over continuation bytes to find whole characters.
  void trim(TextSpan& span) const {
    while (span.begin_bytes < span.end_bytes) {
      const DecodedCharacter first = decode(span.begin_bytes);
      if (!is_white_space(first.code_point)) break;
      span.begin_bytes += first.size_bytes;
    }
    while (span.begin_bytes < span.end_bytes) {
      std::uint32_t last = span.end_bytes - 1;
      while (last > span.begin_bytes && (static_cast<unsigned char>(text_[last]) & 0xC0) == 0x80) --last;
      if (!is_white_space(decode(last).code_point)) break;
      span.end_bytes = last;
    }
  }

  std::string_view text_;
  std::uint32_t size_;
  std::vector<TextSpan>& spans_;
  std::uint32_t position_ = 0;
  std::uint32_t begin_ = 0;
  std::uint32_t counted_ = 0;     // characters before this position are counted
  std::uint32_t characters_ = 0;  // of the current sentence, up to counted_
};

}  // namespace

void split_sentences(std::string_view text, std::vector<TextSpan>& spans) {
  spans.clear();
  Splitter(text, spans).run();
}

}  // namespace paraprint::inline text
