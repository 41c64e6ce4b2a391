// The counting loop. It runs over all text of a page and takes about two fifths of the walk over the tree, most of it
// in mispredicted branches, because words are short. Hence the tables by byte class, inner loops that stay within a
// class, and steps of eight letters at a time. Text is expected to be valid UTF-8; invalid bytes give wrong counts, but
// never reads beyond the text.
#include "extract/text_statistics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace paraprint {
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

// Computes the statistics of `text` and passes the hash of every token to `sink`; in Han text, of each pair of
// characters. One loop with one case per byte class keeps the state in registers, which function calls would prevent.
// Each case continues for as long as its class lasts, and separators are looked up in tables, because mispredicted
// branches are most of the cost.
template <class Sink>
// NOLINTNEXTLINE(readability-function-size)
TextStatistics count(std::string_view text, Sink&& sink) {
  TextStatistics counts;
  std::array<std::uint32_t, Separator::kCountSize> separators{};
  bool in_token = false;
  const auto* cursor = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const text_begin = cursor;
  const auto* const end = cursor + text.size();
  std::uint64_t hash = 0;
  std::uint64_t token = kTokenSeed;
  std::uint32_t before = 0;  // the previous CJK character, or 0
  const auto end_token = [&] {
    if (in_token) {
      hash = append_token(hash, token);
      sink(token);
    }
    in_token = false;
    before = 0;
    token = kTokenSeed;
  };
  // A closing quote after a sentence end leaves that as the end: he said "yes."
  const auto add_separator = [&](const Separator& separator) {
    ++separators[separator.count];
    const bool stays = separator.end == EndClass::kNone || (separator.closes && ends_sentence(counts.end));
    counts.end = stays ? counts.end : separator.end;
  };
  while (cursor < end) {
    const unsigned char byte = *cursor;
    switch (kByteClasses[byte]) {
      case kSeparator:
        end_token();
        do {
          if (*cursor <= ' ') {
            ++cursor;
            continue;
          }
          const Separator& separator = kSeparators[*cursor];
          ++counts.visible_bytes;
          if (separator.count == Separator::kSentenceEnds) {
            ++separators[stands_at_end(cursor, end) ? Separator::kSentenceEnds : Separator::kOthers];
            // The second full stop in a row makes an ellipsis.
            const bool again = *cursor == '.' && cursor != text_begin && cursor[-1] == '.';
            counts.end = again ? EndClass::kEllipsis : EndClass::kSentenceEnd;
          } else {
            add_separator(separator);
          }
          ++cursor;
        } while (cursor < end && kByteClasses[*cursor] == kSeparator);
        continue;
      // ASCII words, eight letters at a time. A token may continue from another class, as in "naïve" or "utf8".
      case kLetter: {
        bool next_is_word = true;
        while (next_is_word) {  // a space and another word follow most words: stay in this loop
          counts.tokens += !in_token;
          counts.capital_tokens += !in_token && *cursor <= 'Z';
          in_token = true;
          const auto* const run = cursor;
          std::size_t letters = 0;
          do {
            const std::uint64_t lower = load_word(text_begin, cursor, end) | kOnes * 0x20;
            letters = count_letters(lower);
            if (letters == 0) break;
            token = mix(token, lower & ~std::uint64_t{0} >> 8 * (kWordBytes - letters));
            cursor += letters;
          } while (letters == kWordBytes && cursor < end);
          counts.visible_bytes += static_cast<std::uint32_t>(cursor - run);
          next_is_word = end - cursor >= 2 && *cursor == ' ' && kByteClasses[cursor[1]] == kLetter;
          if (next_is_word) {
            end_token();
            ++cursor;
          }
        }
        counts.end = EndClass::kLetter;
        continue;
      }
      case kUnderscore:
        counts.tokens += !in_token;
        in_token = true;
        token = mix(token, byte);
        counts.end = EndClass::kLetter;
        ++counts.visible_bytes;
        ++cursor;
        continue;
      case kDigit:
        counts.tokens += !in_token;
        counts.digit_tokens += !in_token;
        in_token = true;
        do {
          token = mix(token, '0');  // numbers of equal length are equal
          ++counts.visible_bytes;
          ++cursor;
        } while (cursor < end && kByteClasses[*cursor] == kDigit);
        counts.end = EndClass::kDigit;
        continue;
      // Latin letters with diacritics, Greek, Cyrillic, Hebrew. No case folding: it would need tables.
      case kLetterLead: {
        if (end - cursor < 2) {
          cursor = end;
          continue;
        }
        bool next_is_word = true;
        while (next_is_word) {
          counts.tokens += !in_token;
          in_token = true;
          const auto* const run = cursor;
          do {
            token = mix(token, static_cast<std::uint32_t>(cursor[0] << 8 | cursor[1]));
            cursor += 2;
          } while (end - cursor >= 2 && kByteClasses[*cursor] == kLetterLead);
          counts.visible_bytes += static_cast<std::uint32_t>(cursor - run);
          next_is_word = end - cursor >= 3 && *cursor == ' ' && kByteClasses[cursor[1]] == kLetterLead;
          if (next_is_word) {
            end_token();
            ++cursor;
          }
        }
        counts.end = EndClass::kLetter;
        continue;
      }
      // Han, and Hangul syllables: each character is a token, hashed together with the one before it.
      case kHanLead: {
        if (in_token) end_token();
        const auto* const run = cursor;
        while (end - cursor >= 3 && kByteClasses[*cursor] == kHanLead) {
          const std::uint32_t code = (cursor[0] & 0xFU) << 12 | (cursor[1] & 0x3FU) << 6 | (cursor[2] & 0x3FU);
          const std::uint64_t pair = cjk_token(before, code);
          hash = append_token(hash, pair);
          sink(pair);
          before = code;
          cursor += 3;
        }
        if (cursor == run) {  // the character is cut off
          cursor = end;
          continue;
        }
        const auto bytes = static_cast<std::uint32_t>(cursor - run);
        counts.tokens += bytes / 3;
        counts.cjk_tokens += bytes / 3;
        counts.visible_bytes += bytes;
        counts.end = EndClass::kLetter;
        continue;
      }
      // Everything rare: decode the character and classify it by code point.
      default: {
        const std::size_t length = kByteClasses[byte] == kLead2 ? 2 : kByteClasses[byte] == kLead3 ? 3 : 4;
        if (static_cast<std::size_t>(end - cursor) < length) {
          cursor = end;
          continue;
        }
        std::uint32_t code = byte & (0xFFU >> (length + 1));
        for (std::size_t i = 1; i < length; ++i) code = code << 6 | (cursor[i] & 0x3FU);
        cursor += length;
        const Wide wide =
            length == 4 ? (code >= 0x20000 && code < 0x40000 ? Wide::kCjk : Wide::kPunctuation) : classify_wide(code);
        counts.visible_bytes += wide == Wide::kSpace ? 0 : static_cast<std::uint32_t>(length);
        if (wide == Wide::kLetter) {
          counts.tokens += !in_token;
          in_token = true;
          token = mix(token, code);
          counts.end = EndClass::kLetter;
        } else if (wide == Wide::kCjk) {
          if (in_token) end_token();
          ++counts.tokens;
          ++counts.cjk_tokens;
          hash = append_token(hash, cjk_token(before, code));
          sink(cjk_token(before, code));
          before = code;
          counts.end = EndClass::kLetter;
        } else {
          end_token();
          add_separator(kWideSeparators[static_cast<std::size_t>(wide)]);
        }
        continue;
      }
    }
  }
  end_token();
  counts.sentence_ends = separators[Separator::kSentenceEnds];
  counts.commas = separators[Separator::kCommas];
  counts.other_punctuation = separators[Separator::kOthers];
  counts.hash = hash;
  return counts;
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

}  // namespace paraprint
