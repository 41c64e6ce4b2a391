// The counting loop. It runs over all text of a page and takes about two fifths of the walk over the tree, most of it
// in mispredicted branches, because words are short. Hence the tables by byte class, inner loops that stay within a
// class, and steps of eight letters at a time. Text is expected to be valid UTF-8; invalid bytes give wrong counts, but
// never reads beyond the text.
#include "extract/text_statistics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace paraprint::inline extract {
namespace {

enum ByteClass : std::uint8_t {
  kSeparator,  // ends a token; see kSeparators
  kLetter,
  kUnderscore,
  kDigit,
  kLetterLead,  // first byte of two-byte letters: U+00C0 to U+05FF
  kLead2,
  kHanLead,  // first byte of three-byte characters that all count as CJK: U+4000 to U+DFFF
  kLead3,
  kLead4,
};

// The first byte decides between fast cases and decoding. Two-byte letters from U+00C0 and three-byte characters from
// U+4000 need no decoding, as all of them have the same class.
constexpr std::array<std::uint8_t, 256> make_byte_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (std::size_t byte = 0; byte < classes.size(); ++byte) {
    std::uint8_t value = kSeparator;
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')) value = kLetter;
    if (byte >= '0' && byte <= '9') value = kDigit;
    if (byte == '_') value = kUnderscore;
    if (byte >= 0xC0 && byte < 0xE0) value = byte >= 0xC3 && byte <= 0xD7 ? kLetterLead : kLead2;
    if (byte >= 0xE0 && byte < 0xF0) value = byte >= 0xE4 && byte <= 0xED ? kHanLead : kLead3;
    if (byte >= 0xF0) value = kLead4;
    classes[byte] = value;
  }
  return classes;
}
constexpr auto kByteClasses = make_byte_classes();

// The effect of a character between words on the statistics.
struct Separator {
  enum Count : std::uint8_t { kUncounted, kSentenceEnds, kCommas, kOthers, kCountSize };
  Count count = kOthers;
  EndClass end = EndClass::kOther;  // kNone: the text still ends with the previous character
  bool closes = false;              // a quote or bracket: a sentence end before it remains the end
};

constexpr std::array<Separator, 256> make_separators() {
  std::array<Separator, 256> separators{};  // stray continuation bytes count as punctuation
  for (std::size_t byte = 0; byte <= ' '; ++byte) separators[byte] = {Separator::kUncounted, EndClass::kNone, false};
  for (const unsigned char byte : {'.', '!', '?'}) {
    separators[byte] = {Separator::kSentenceEnds, EndClass::kSentenceEnd, false};
  }
  for (const unsigned char byte : {',', ';'}) separators[byte] = {Separator::kCommas, EndClass::kComma, false};
  for (const unsigned char byte : {'"', ')', ']'}) separators[byte] = {Separator::kOthers, EndClass::kCloser, true};
  separators['\''] = {Separator::kUncounted, EndClass::kCloser, true};
  separators[':'] = {Separator::kOthers, EndClass::kColon, false};
  return separators;
}
constexpr auto kSeparators = make_separators();

// Learned weights of tokens, by bucket.
constexpr std::int8_t kTextLexicon[kTextLexiconSize] = {
#include "extract/tables/text_lexicon.inc"
};

constexpr std::uint64_t kTokenSeed = 0x2545F4914F6CDD1DULL;
constexpr std::uint64_t kHashMultiplier = 0x9E3779B97F4A7C15ULL;

// The multiplication moves information upwards; the shift brings it down again for the next round.
std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * kHashMultiplier;
  return hash ^ hash >> 32;
}

// The token of a CJK character and the one before it, which is 0 if there is none.
std::uint64_t cjk_token(std::uint32_t before, std::uint32_t code) {
  return mix(kTokenSeed, std::uint64_t{before} << 32 | code);
}

// Extends the hash of a text by `token`, itself a hash. Only equality matters, so this mixes less than mix().
std::uint64_t append_token(std::uint64_t hash, std::uint64_t token) {
  return (hash ^ token) * kHashMultiplier;
}

constexpr std::size_t kWordBytes = 8;
constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
constexpr std::uint64_t kHighBits = kOnes * 0x80;

// Loads up to eight bytes from `cursor`, with zeros beyond `end`. Near the end it loads the last eight bytes and
// shifts, so it never reads outside [begin, end).
std::uint64_t load_word(const unsigned char* begin, const unsigned char* cursor, const unsigned char* end) {
  std::uint64_t word = 0;
  const auto left = static_cast<std::size_t>(end - cursor);
  if (left >= kWordBytes) {
    std::memcpy(&word, cursor, kWordBytes);
  } else if (static_cast<std::size_t>(end - begin) >= kWordBytes) {
    std::memcpy(&word, end - kWordBytes, kWordBytes);
    word >>= 8 * (kWordBytes - left);
  } else {
    for (std::size_t i = left; i-- > 0;) word = word << 8 | cursor[i];
  }
  return word;
}

// The number of leading bytes of `lower` that are small ASCII letters. The caller has set bit 0x20 in every byte, so
// capitals count too.
std::size_t count_letters(std::uint64_t lower) {
  const std::uint64_t low_bits = lower & ~kHighBits;
  const std::uint64_t from_a = low_bits + kOnes * (0x80 - 'a');
  const std::uint64_t after_z = low_bits + kOnes * (0x7F - 'z');
  const std::uint64_t others = ~((from_a ^ after_z) & ~lower) & kHighBits;
  return others == 0 ? kWordBytes : static_cast<std::size_t>(std::countr_zero(others)) / 8;
}

// The upper bits, which the multiplication mixes best.
std::uint16_t lexicon_bucket(std::uint64_t token) {
  static_assert(kTextLexiconSize == std::size_t{1} << 15);
  return static_cast<std::uint16_t>(token >> 49);
}

enum class Wide : std::uint8_t { kLetter, kCjk, kSpace, kStop, kEllipsis, kColon, kComma, kCloser, kPunctuation };

// Indexed by Wide. Letters and CJK characters are not separators.
constexpr std::array<Separator, 9> kWideSeparators = {{
    {},
    {},
    {Separator::kUncounted, EndClass::kNone, false},
    {Separator::kSentenceEnds, EndClass::kSentenceEnd, false},
    {Separator::kSentenceEnds, EndClass::kEllipsis, false},
    {Separator::kOthers, EndClass::kColon, false},
    {Separator::kCommas, EndClass::kComma, false},
    {Separator::kOthers, EndClass::kCloser, true},
    {Separator::kOthers, EndClass::kOther, false},
}};

// General punctuation U+2000 to U+206F.
Wide classify_general_punctuation(std::uint32_t code) {
  if (code <= 0x200F || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F) return Wide::kSpace;
  if (code == 0x2026) return Wide::kEllipsis;
  if (code >= 0x2018 && code <= 0x201F) return Wide::kCloser;
  return Wide::kPunctuation;
}

// CJK symbols U+3000 to U+303F and full-width forms U+FF00 to U+FFEF.
Wide classify_cjk_symbol(std::uint32_t code) {
  switch (code) {
    case 0x3000:
      return Wide::kSpace;
    case 0x3001:
    case 0xFF0C:
    case 0xFF1B:
      return Wide::kComma;
    case 0x3002:
    case 0xFF01:
    case 0xFF1F:
    case 0xFF0E:
    case 0xFF61:
      return Wide::kStop;
    case 0xFF1A:
      return Wide::kColon;
    case 0x3005:
      return Wide::kCjk;
    case 0x300B:
    case 0x300D:
    case 0x300F:
    case 0x3011:
    case 0xFF09:
    case 0xFF02:
      return Wide::kCloser;
    default:
      break;
  }
  if (code >= 0xFF10 && code <= 0xFFDC) return Wide::kLetter;
  return Wide::kPunctuation;
}

// Code points of two and three bytes that have no fast case. The order of the tests follows the blocks of Unicode.
Wide classify_wide(std::uint32_t code) {
  if (code < 0x2000) {
    if (code == 0xA0) return Wide::kSpace;
    if (code < 0xC0 && code != 0xAA && code != 0xB5 && code != 0xBA) return Wide::kPunctuation;
    if (code == 0x060C || code == 0x061B) return Wide::kComma;
    if (code == 0x061F || code == 0x06D4 || code == 0x0964) return Wide::kStop;
    return Wide::kLetter;
  }
  if (code < 0x2070) return classify_general_punctuation(code);
  if (code < 0x3000) return code >= 0x2E80 ? Wide::kCjk : Wide::kPunctuation;
  if (code < 0x3040 || code >= 0xFF00) return code > 0xFFEF ? Wide::kLetter : classify_cjk_symbol(code);
  if (code >= 0xE000 && code < 0xF900) return Wide::kPunctuation;  // private use: icon fonts
  return Wide::kCjk;  // kana, Han, Hangul; the few other scripts up there are rare enough to share the count
}

bool ends_sentence(EndClass end) {
  return end == EndClass::kSentenceEnd || end == EndClass::kEllipsis;
}

// Whether a full stop ends a sentence: it must be followed by white space, a closing quote or bracket, or the end of
// the text. "3.5" and "example.org" contain no sentence end.
bool stands_at_end(const unsigned char* stop, const unsigned char* end) {
  return stop + 1 == end || stop[1] <= ' ' || kSeparators[stop[1]].closes;
}

// By Separator::Count. Kept outside TextCounter, because an array that variables index cannot be in registers, and
// inside it would hold all other members in memory, too.
using SeparatorCounts = std::array<std::uint32_t, Separator::kCountSize>;

// Computes the statistics of a text and passes the hash of every token to `sink`; in Han text, of each pair of
// characters. There is one function for each byte class, and it continues for as long as its class lasts; separators
// are looked up in tables, because mispredicted branches are most of the cost. Each function has one caller and is
// inlined there, so the compiler keeps the members in registers.
template <class Sink>
class TextCounter {
 public:
  // `separators` starts with zeros.
  TextCounter(std::string_view text, Sink& sink, SeparatorCounts& separators)
      : sink_(sink),
        separators_(separators),
        cursor_(reinterpret_cast<const unsigned char*>(text.data())),
        begin_(cursor_),
        end_(cursor_ + text.size()) {}

  TextStatistics count() {
    while (cursor_ < end_) {
      switch (kByteClasses[*cursor_]) {
        case kSeparator:
          count_separators();
          break;
        case kLetter:
          count_ascii_words();
          break;
        case kUnderscore:
          count_underscore();
          break;
        case kDigit:
          count_digits();
          break;
        case kLetterLead:
          count_two_byte_words();
          break;
        case kHanLead:
          count_han();
          break;
        default:
          count_rare_character();
          break;
      }
    }
    end_token();
    counts_.sentence_ends = separators_[Separator::kSentenceEnds];
    counts_.commas = separators_[Separator::kCommas];
    counts_.other_punctuation = separators_[Separator::kOthers];
    counts_.hash = hash_;
    return counts_;
  }

 private:
  void begin_token() {
    counts_.tokens += !in_token_;
    in_token_ = true;
  }

  void end_token() {
    if (in_token_) {
      hash_ = append_token(hash_, token_);
      sink_(token_);
    }
    in_token_ = false;
    before_ = 0;
    token_ = kTokenSeed;
  }

  // A CJK character is a token of its own, hashed together with the one before it.
  void add_cjk_token(std::uint32_t code) {
    const std::uint64_t pair = cjk_token(before_, code);
    hash_ = append_token(hash_, pair);
    sink_(pair);
    before_ = code;
  }

  // A closing quote after a sentence end leaves that as the end: he said "yes."
  void add_separator(const Separator& separator) {
    ++separators_[separator.count];
    const bool stays = separator.end == EndClass::kNone || (separator.closes && ends_sentence(counts_.end));
    counts_.end = stays ? counts_.end : separator.end;
  }

  void count_separators() {
    end_token();
    do {
      if (*cursor_ <= ' ') {
        ++cursor_;
        continue;
      }
      const Separator& separator = kSeparators[*cursor_];
      ++counts_.visible_bytes;
      if (separator.count == Separator::kSentenceEnds) {
        ++separators_[stands_at_end(cursor_, end_) ? Separator::kSentenceEnds : Separator::kOthers];
        // The second full stop in a row makes an ellipsis.
        const bool again = *cursor_ == '.' && cursor_ != begin_ && cursor_[-1] == '.';
        counts_.end = again ? EndClass::kEllipsis : EndClass::kSentenceEnd;
      } else {
        add_separator(separator);
      }
      ++cursor_;
    } while (cursor_ < end_ && kByteClasses[*cursor_] == kSeparator);
  }

  // Eight letters at a time. A token may continue from another class, as in "naïve" or "utf8".
  void count_ascii_words() {
    bool next_is_word = true;
    while (next_is_word) {  // a space and another word follow most words: stay in this loop
      counts_.capital_tokens += !in_token_ && *cursor_ <= 'Z';
      begin_token();
      const auto* const run = cursor_;
      std::size_t letters = 0;
      do {
        const std::uint64_t lower = load_word(begin_, cursor_, end_) | kOnes * 0x20;
        letters = count_letters(lower);
        if (letters == 0) break;
        token_ = mix(token_, lower & ~std::uint64_t{0} >> 8 * (kWordBytes - letters));
        cursor_ += letters;
      } while (letters == kWordBytes && cursor_ < end_);
      counts_.visible_bytes += static_cast<std::uint32_t>(cursor_ - run);
      next_is_word = end_ - cursor_ >= 2 && *cursor_ == ' ' && kByteClasses[cursor_[1]] == kLetter;
      if (next_is_word) {
        end_token();
        ++cursor_;
      }
    }
    counts_.end = EndClass::kLetter;
  }

  void count_underscore() {
    begin_token();
    token_ = mix(token_, *cursor_);
    counts_.end = EndClass::kLetter;
    ++counts_.visible_bytes;
    ++cursor_;
  }

  void count_digits() {
    counts_.digit_tokens += !in_token_;
    begin_token();
    do {
      token_ = mix(token_, '0');  // numbers of equal length are equal
      ++counts_.visible_bytes;
      ++cursor_;
    } while (cursor_ < end_ && kByteClasses[*cursor_] == kDigit);
    counts_.end = EndClass::kDigit;
  }

  // Latin letters with diacritics, Greek, Cyrillic, Hebrew. No case folding: it would need tables.
  void count_two_byte_words() {
    if (end_ - cursor_ < 2) {
      cursor_ = end_;
      return;
    }
    bool next_is_word = true;
    while (next_is_word) {
      begin_token();
      const auto* const run = cursor_;
      do {
        token_ = mix(token_, static_cast<std::uint32_t>(cursor_[0] << 8 | cursor_[1]));
        cursor_ += 2;
      } while (end_ - cursor_ >= 2 && kByteClasses[*cursor_] == kLetterLead);
      counts_.visible_bytes += static_cast<std::uint32_t>(cursor_ - run);
      next_is_word = end_ - cursor_ >= 3 && *cursor_ == ' ' && kByteClasses[cursor_[1]] == kLetterLead;
      if (next_is_word) {
        end_token();
        ++cursor_;
      }
    }
    counts_.end = EndClass::kLetter;
  }

  // Han, and Hangul syllables.
  void count_han() {
    if (in_token_) end_token();
    const auto* const run = cursor_;
    while (end_ - cursor_ >= 3 && kByteClasses[*cursor_] == kHanLead) {
      add_cjk_token((cursor_[0] & 0xFU) << 12 | (cursor_[1] & 0x3FU) << 6 | (cursor_[2] & 0x3FU));
      cursor_ += 3;
    }
    if (cursor_ == run) {  // the character is cut off
      cursor_ = end_;
      return;
    }
    const auto bytes = static_cast<std::uint32_t>(cursor_ - run);
    counts_.tokens += bytes / 3;
    counts_.cjk_tokens += bytes / 3;
    counts_.visible_bytes += bytes;
    counts_.end = EndClass::kLetter;
  }

  // Decodes the character and classifies it by code point.
  void count_rare_character() {
    const unsigned char byte = *cursor_;
    const std::size_t length = kByteClasses[byte] == kLead2 ? 2 : kByteClasses[byte] == kLead3 ? 3 : 4;
    if (static_cast<std::size_t>(end_ - cursor_) < length) {
      cursor_ = end_;
      return;
    }
    std::uint32_t code = byte & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) code = code << 6 | (cursor_[i] & 0x3FU);
    cursor_ += length;
    const Wide wide =
        length == 4 ? (code >= 0x20000 && code < 0x40000 ? Wide::kCjk : Wide::kPunctuation) : classify_wide(code);
    counts_.visible_bytes += wide == Wide::kSpace ? 0 : static_cast<std::uint32_t>(length);
    if (wide == Wide::kLetter) {
      begin_token();
      token_ = mix(token_, code);
      counts_.end = EndClass::kLetter;
    } else if (wide == Wide::kCjk) {
      if (in_token_) end_token();
      ++counts_.tokens;
      ++counts_.cjk_tokens;
      add_cjk_token(code);
      counts_.end = EndClass::kLetter;
    } else {
      end_token();
      add_separator(kWideSeparators[static_cast<std::size_t>(wide)]);
    }
  }

  Sink& sink_;
  SeparatorCounts& separators_;
  const unsigned char* cursor_;
  const unsigned char* const begin_;
  const unsigned char* const end_;
  TextStatistics counts_;
  bool in_token_ = false;
  std::uint64_t hash_ = 0;
  std::uint64_t token_ = kTokenSeed;
  std::uint32_t before_ = 0;  // the previous CJK character, or 0
};

template <class Sink>
TextStatistics count(std::string_view text, Sink&& sink) {
  SeparatorCounts separators{};
  return TextCounter<Sink>(text, sink, separators).count();
}

}  // namespace

void TextStatistics::add(const TextStatistics& other) {
  tokens += other.tokens;
  cjk_tokens += other.cjk_tokens;
  digit_tokens += other.digit_tokens;
  capital_tokens += other.capital_tokens;
  sentence_ends += other.sentence_ends;
  commas += other.commas;
  other_punctuation += other.other_punctuation;
  visible_bytes += other.visible_bytes;
  if (other.end != EndClass::kNone) end = other.end;
  lexical += other.lexical;
  hash = mix(hash, other.hash);
}

TextStatistics count_text(std::string_view text) {
  std::int32_t lexical = 0;
  TextStatistics counts = count(text, [&](std::uint64_t token) { lexical += kTextLexicon[lexicon_bucket(token)]; });
  counts.lexical = lexical;
  return counts;
}

void list_tokens(std::string_view text, std::vector<std::uint16_t>& buckets) {
  count(text, [&](std::uint64_t token) { buckets.push_back(lexicon_bucket(token)); });
}

}  // namespace paraprint::inline extract
