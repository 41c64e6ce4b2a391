// Valid text, the usual case, is recognised by simdjson's vectorised validation and copied at once. Counting has fast
// paths for ASCII and for common ideographs; everything else is decoded character by character.
#include "text/utf8.h"

#include <simdjson.h>

#include <limits>

#include "text/ascii_words.h"
#include "text/normalise.h"

namespace paraprint::inline text {

bool is_valid_utf8(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

std::size_t append_sanitised(std::string_view bytes, std::string& out) {
  if (is_valid_utf8(bytes)) {
    out.append(bytes);
    return 0;
  }
  // Copies maximal valid runs. Invalid bytes are dropped one at a time, so a valid character right after one survives.
  std::size_t dropped_bytes = 0;
  const char* position = bytes.data();
  const char* const end = position + bytes.size();
  const char* valid_begin = position;
  while (position < end) {
    const DecodedCharacter character = decode_character(position, end);
    if (character.code_point == kInvalidCharacter) {
      out.append(valid_begin, position);
      ++dropped_bytes;
      valid_begin = position + 1;
    }
    position += character.size_bytes;
  }
  out.append(valid_begin, position);
  return dropped_bytes;
}

SanitisedText sanitise(std::string_view bytes) {
  SanitisedText result;
  result.dropped_bytes = append_sanitised(bytes, result.text);
  return result;
}

namespace {

// The number of consecutive characters at `position` between U+5000 and U+8FFF: ideographs, all of them letters, which
// make up most of a Chinese text. Their lead bytes admit no overlong forms or surrogates.
std::uint32_t leading_ideographs(const char* position, const char* end) {
  constexpr unsigned char kFirstLead = 0xE5;
  constexpr unsigned char kLastLead = 0xE8;
  const auto is_continuation = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; };
  std::uint32_t count = 0;
  for (; end - position >= 3; position += 3, ++count) {
    const auto lead = static_cast<unsigned char>(*position);
    if (lead < kFirstLead || lead > kLastLead || !is_continuation(position[1]) || !is_continuation(position[2])) break;
  }
  return count;
}

}  // namespace

std::uint32_t count_content_characters(std::string_view utf8) {
  std::uint64_t count = 0;
  const char* position = utf8.data();
  const char* const end = position + utf8.size();
  while (position < end) {
    // Mixed words of ASCII and other characters take the slow path for one character and then try again.
    if (end - position >= ascii_words::kSizeBytes) {
      const std::uint64_t word = ascii_words::load(position);
      if (ascii_words::non_ascii(word) == 0) {
        count += ascii_words::count(ascii_words::letters_and_digits(word));
        position += ascii_words::kSizeBytes;
        continue;
      }
    }
    const std::uint32_t ideographs = leading_ideographs(position, end);
    if (ideographs > 0) {
      count += ideographs;
      position += std::size_t{3} * ideographs;
      continue;
    }
    const DecodedCharacter character = decode_character(position, end);
    count += is_content_character(character.code_point) ? 1 : 0;
    position += character.size_bytes;
  }
  constexpr std::uint64_t kMaximum = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(count < kMaximum ? count : kMaximum);
}

}  // namespace paraprint::inline text
