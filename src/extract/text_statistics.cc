#include "extract/text_statistics.h"

#include <array>

namespace paraprint {
namespace {

enum ByteClass : std::uint8_t {
  kSpace,
  kLower,
  kUpper,
  kDigit,
  kStop,  // . ! ?
  kColon,
  kComma,  // , ;
  kCloser,
  kPunctuation,
  kLead2,
  kLead3,
  kLead4,
  kTail,  // a continuation byte out of place
};

constexpr std::array<std::uint8_t, 256> make_byte_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (int byte = 0; byte < 256; ++byte) {
    std::uint8_t value = kPunctuation;
    if (byte <= ' ') value = kSpace;
    if (byte >= 'a' && byte <= 'z') value = kLower;
    if (byte >= 'A' && byte <= 'Z') value = kUpper;
    if (byte >= '0' && byte <= '9') value = kDigit;
    if (byte == '_') value = kLower;
    if (byte == '.' || byte == '!' || byte == '?') value = kStop;
    if (byte == ':') value = kColon;
    if (byte == ',' || byte == ';') value = kComma;
    if (byte == '"' || byte == '\'' || byte == ')' || byte == ']') value = kCloser;
    if (byte >= 0x80 && byte < 0xC0) value = kTail;
    if (byte >= 0xC0 && byte < 0xE0) value = kLead2;
    if (byte >= 0xE0 && byte < 0xF0) value = kLead3;
    if (byte >= 0xF0) value = kLead4;
    classes[static_cast<std::size_t>(byte)] = value;
  }
  return classes;
}
constexpr auto kByteClasses = make_byte_classes();

// Learnt weights of tokens, by bucket.
constexpr std::int8_t kTextLexicon[kTextLexiconSize] = {
#include "extract/text_lexicon.inc"
};

constexpr std::uint64_t kTokenSeed = 0x2545F4914F6CDD1DULL;
constexpr std::uint64_t kHashMultiplier = 0x9E3779B97F4A7C15ULL;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * kHashMultiplier;
}

std::uint16_t lexicon_bucket(std::uint64_t token) {
  static_assert(kTextLexiconSize == std::size_t{1} << 15);
  return static_cast<std::uint16_t>(token >> 49);
}

enum class Wide : std::uint8_t { kLetter, kCjk, kSpace, kStop, kColon, kComma, kCloser, kPunctuation };

// General punctuation U+2000 to U+206F.
Wide classify_general_punctuation(std::uint32_t code) {
  if (code <= 0x200F || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F) return Wide::kSpace;
  if (code == 0x2026) return Wide::kStop;
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

// Counts `text`; tells `sink` the hash of every token, of Han text that of each pair of characters. One loop over the
// bytes with one case a byte class: the state between bytes lives in registers, which calls would end.
template <class Sink>
// NOLINTNEXTLINE(readability-function-size)
TextStatistics count(std::string_view text, Sink&& sink) {
  TextStatistics counts;
  bool in_token = false;
  const auto* cursor = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const end = cursor + text.size();
  std::uint64_t hash = 0;
  std::uint64_t token = kTokenSeed;
  std::uint32_t before = 0;  // the CJK character before, if any
  const auto end_token = [&] {
    if (in_token) {
      hash = mix(hash, token);
      sink(token);
    }
    in_token = false;
    before = 0;
    token = kTokenSeed;
  };
  while (cursor < end) {
    const unsigned char byte = *cursor;
    switch (kByteClasses[byte]) {
      case kSpace:
        end_token();
        ++cursor;
        continue;
      case kUpper:
        if (!in_token) {
          ++counts.tokens;
          ++counts.capital_tokens;
        }
        in_token = true;
        token = mix(token, byte | 0x20U);
        counts.end = EndClass::kLetter;
        break;
      case kLower: {
        counts.tokens += !in_token;
        in_token = true;
        counts.end = EndClass::kLetter;
        const auto* const begin = cursor;  // small letters come in runs
        do {
          token = mix(token, *cursor);
          ++cursor;
        } while (cursor < end && kByteClasses[*cursor] == kLower);
        counts.visible_bytes += static_cast<std::uint32_t>(cursor - begin);
        continue;
      }
      case kDigit:
        if (!in_token) {
          ++counts.tokens;
          ++counts.digit_tokens;
        }
        in_token = true;
        token = mix(token, '0');  // numbers of one length are alike
        counts.end = EndClass::kDigit;
        break;
      case kStop:
        // "3.5" and "example.org" hold no sentence end.
        if (cursor + 1 == end || kByteClasses[cursor[1]] == kSpace || kByteClasses[cursor[1]] == kCloser) {
          ++counts.sentence_ends;
        } else {
          ++counts.other_punctuation;
        }
        counts.end = EndClass::kSentenceEnd;
        end_token();
        break;
      case kColon:
        counts.end = EndClass::kColon;
        ++counts.other_punctuation;
        end_token();
        break;
      case kComma:
        counts.end = EndClass::kComma;
        ++counts.commas;
        end_token();
        break;
      case kCloser:
        if (counts.end != EndClass::kSentenceEnd) counts.end = EndClass::kCloser;
        if (byte != '\'') ++counts.other_punctuation;
        end_token();
        break;
      case kPunctuation:
      case kTail:
        counts.end = EndClass::kOther;
        ++counts.other_punctuation;
        end_token();
        break;
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
        if (wide != Wide::kLetter && wide != Wide::kCjk) end_token();
        if (wide == Wide::kSpace) continue;
        counts.visible_bytes += static_cast<std::uint32_t>(length);
        switch (wide) {
          case Wide::kCjk:
            if (in_token) end_token();
            ++counts.tokens;
            ++counts.cjk_tokens;
            token = mix(mix(kTokenSeed, before), code);
            hash = mix(hash, token);
            sink(token);
            token = kTokenSeed;
            before = code;
            counts.end = EndClass::kLetter;
            break;
          case Wide::kLetter:
            counts.tokens += !in_token;
            in_token = true;
            token = mix(token, code);
            counts.end = EndClass::kLetter;
            break;
          case Wide::kStop:
            ++counts.sentence_ends;
            counts.end = EndClass::kSentenceEnd;
            break;
          case Wide::kColon:
            ++counts.other_punctuation;
            counts.end = EndClass::kColon;
            break;
          case Wide::kComma:
            ++counts.commas;
            counts.end = EndClass::kComma;
            break;
          case Wide::kCloser:
            ++counts.other_punctuation;
            if (counts.end != EndClass::kSentenceEnd) counts.end = EndClass::kCloser;
            break;
          default:
            ++counts.other_punctuation;
            counts.end = EndClass::kOther;
            break;
        }
        continue;
      }
    }
    ++counts.visible_bytes;
    ++cursor;
  }
  end_token();
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
