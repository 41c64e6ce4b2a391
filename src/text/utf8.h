// UTF-8 and character properties. All functions are pure and thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/text_data.h"

namespace paraprint::inline text {

inline constexpr char32_t kInvalidCharacter = 0xFFFFFFFF;

struct DecodedCharacter {
  char32_t code_point;       // kInvalidCharacter if the bytes are not UTF-8
  std::uint32_t size_bytes;  // 1 to 4; 1 for invalid bytes
};

// Decodes the character at `position`, which must be before `end`. Overlong forms, surrogates, values above U+10FFFF
// and truncated sequences are invalid. Never reads at or after `end`.
inline DecodedCharacter decode_character(const char* position, const char* end) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(position);
  const std::ptrdiff_t left = end - position;
  const unsigned lead = bytes[0];
  if (lead < 0x80) return {lead, 1};
  const auto is_continuation = [](unsigned byte) { return (byte & 0xC0) == 0x80; };
  if (lead >= 0xE0 && lead < 0xF0) {
    if (left >= 3 && is_continuation(bytes[1]) && is_continuation(bytes[2])) {
      const char32_t value = (lead & 0x0FU) << 12 | (bytes[1] & 0x3FU) << 6 | (bytes[2] & 0x3FU);
      if (value >= 0x800 && (value & 0xF800) != 0xD800) return {value, 3};
    }
  } else if (lead >= 0xC2 && lead < 0xE0) {
    if (left >= 2 && is_continuation(bytes[1])) return {(lead & 0x1FU) << 6 | (bytes[1] & 0x3FU), 2};
  } else if (lead >= 0xF0 && lead < 0xF5) {
    if (left >= 4 && is_continuation(bytes[1]) && is_continuation(bytes[2]) && is_continuation(bytes[3])) {
      const char32_t value =
          (lead & 0x07U) << 18 | (bytes[1] & 0x3FU) << 12 | (bytes[2] & 0x3FU) << 6 | (bytes[3] & 0x3FU);
      if (value >= 0x10000 && value < 0x110000) return {value, 4};
    }
  }
  return {kInvalidCharacter, 1};
}

// Encodes a valid code point as UTF-8 into `out`, which must have room for 4 bytes; returns the size in bytes.
inline std::uint32_t encode_character(char32_t code_point, char* out) {
  if (code_point < 0x80) {
    out[0] = static_cast<char>(code_point);
    return 1;
  }
  if (code_point < 0x800) {
    out[0] = static_cast<char>(0xC0 | code_point >> 6);
    out[1] = static_cast<char>(0x80 | (code_point & 0x3F));
    return 2;
  }
  if (code_point < 0x10000) {
    out[0] = static_cast<char>(0xE0 | code_point >> 12);
    out[1] = static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
    out[2] = static_cast<char>(0x80 | (code_point & 0x3F));
    return 3;
  }
  out[0] = static_cast<char>(0xF0 | code_point >> 18);
  out[1] = static_cast<char>(0x80 | (code_point >> 12 & 0x3F));
  out[2] = static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
  out[3] = static_cast<char>(0x80 | (code_point & 0x3F));
  return 4;
}

inline void append_character(char32_t code_point, std::string& out) {
  char buffer[4];
  out.append(buffer, encode_character(code_point, buffer));
}

bool is_valid_utf8(std::string_view bytes);

// Appends `bytes` without those that are not valid UTF-8; returns the number of bytes dropped.
std::size_t append_sanitised(std::string_view bytes, std::string& out);

// append_sanitised() as a value.
struct SanitisedText {
  std::string text;
  std::size_t dropped_bytes = 0;
};
SanitisedText sanitise(std::string_view bytes);

// How word segmentation treats a character. The values are stored in compiled tables.
enum class CharacterClass : std::uint8_t {
  kSeparator = 0,  // white space, punctuation and symbols: between tokens
  kWord = 1,       // letters and digits of scripts with spaces between words, Hangul, bopomofo
  kHan = 2,        // U+4E00 to U+9FD5: the dictionary's range
  kOtherHan = 3,   // other ideographs: each a separate token
  kHiragana = 4,
  kKatakana = 5,
  kComplex = 6,  // Thai, Lao, Khmer, Burmese and similar: written without spaces, segmented by ICU's dictionaries
  kMark = 7,     // combining marks: belong to the preceding character
};

namespace detail {
inline constexpr std::uint8_t kContentFlag = 0x80;
inline constexpr std::uint8_t kUpperFlag = 0x40;
inline constexpr std::uint8_t kClassMask = 0x0F;

inline std::uint8_t character_properties(char32_t code_point) {
  if (code_point >= text_data::kCodePointLimit) return 0;
  const std::uint32_t block = text_data::paraprint_character_stage1[code_point >> text_data::kStageBits];
  return text_data::paraprint_character_stage2[block << text_data::kStageBits |
                                               (code_point & ((1U << text_data::kStageBits) - 1))];
}
}  // namespace detail

inline CharacterClass character_class(char32_t code_point) {
  return static_cast<CharacterClass>(detail::character_properties(code_point) & detail::kClassMask);
}

// Letters and digits: Unicode general categories L* and N*.
inline bool is_content_character(char32_t code_point) {
  return (detail::character_properties(code_point) & detail::kContentFlag) != 0;
}

// Letters in upper or title case.
inline bool is_upper_case(char32_t code_point) {
  return (detail::character_properties(code_point) & detail::kUpperFlag) != 0;
}

// Characters of the Han script that are letters or numbers: ideographs, U+3005, U+3007.
inline bool is_han(char32_t code_point) {
  const CharacterClass value = character_class(code_point);
  return value == CharacterClass::kHan || value == CharacterClass::kOtherHan;
}

inline bool begins_with_han(std::string_view text) {
  return !text.empty() && is_han(decode_character(text.data(), text.data() + text.size()).code_point);
}

}  // namespace paraprint::inline text
