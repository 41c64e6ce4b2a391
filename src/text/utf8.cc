#include "text/utf8.h"

#include <simdjson.h>

#include <cstring>
#include <limits>

#include "text/normalise.h"

namespace paraprint {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
constexpr std::uint64_t kHighBits = kOnes * 0x80;

// High bit of each byte (all below 0x80) that is at least `least`.
constexpr std::uint64_t at_least(std::uint64_t word, unsigned least) {
  return word + kOnes * (0x80U - least);
}

// Letters and digits among eight ASCII characters.
constexpr std::uint64_t count_ascii_content(std::uint64_t word) {
  const std::uint64_t lower = word | kOnes * 0x20;
  const std::uint64_t letters = at_least(lower, 'a') & ~at_least(lower, 'z' + 1);
  const std::uint64_t digits = at_least(word, '0') & ~at_least(word, '9' + 1);
  return (((letters | digits) & kHighBits) >> 7) * kOnes >> 56;
}

}  // namespace

bool is_valid_utf8(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

std::size_t append_sanitised(std::string_view bytes, std::string& out) {
  if (is_valid_utf8(bytes)) {
    out.append(bytes);
    return 0;
  }
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

std::uint32_t count_content_characters(std::string_view utf8) {
  std::uint64_t count = 0;
  const char* position = utf8.data();
  const char* const end = position + utf8.size();
  while (position < end) {
    if (end - position >= 8) {
      std::uint64_t word;
      std::memcpy(&word, position, sizeof(word));
      if ((word & kHighBits) == 0) {
        count += count_ascii_content(word);
        position += sizeof(word);
        continue;
      }
    }
    const DecodedCharacter character = decode_character(position, end);
    count += is_content_character(character.code_point) ? 1 : 0;
    position += character.size_bytes;
  }
  constexpr std::uint64_t kMaximum = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(count < kMaximum ? count : kMaximum);
}

}  // namespace paraprint
