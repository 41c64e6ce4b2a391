// One character of UTF-8 at a time, malformed bytes included: what the escapers and the word diff walk text with.
#pragma once

#include <cstddef>
#include <string_view>

namespace paraprint {

struct Utf8Step {
  char32_t code_point = 0;     // 0 when malformed
  std::size_t size_bytes = 1;  // at least 1; of the maximal subpart when malformed
  bool is_valid = false;
};

inline bool is_utf8_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// The step at `at` < text.size(). The second byte's range depends on the first (Unicode Standard, table 3-7).
inline Utf8Step utf8_step(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  if (first < 0x80) return {first, 1, true};
  if (first < 0xC2 || first > 0xF4) return {};
  const std::size_t wanted = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  unsigned low = 0x80;
  unsigned high = 0xBF;
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;  // surrogates
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  char32_t code_point = first & (0x7FU >> wanted);
  for (std::size_t i = 1; i < wanted; ++i) {
    if (at + i >= text.size() || byte(at + i) < low || byte(at + i) > high) return {0, i, false};
    code_point = code_point << 6 | (byte(at + i) & 0x3FU);
    low = 0x80;
    high = 0xBF;
  }
  return {code_point, wanted, true};
}

}  // namespace paraprint
