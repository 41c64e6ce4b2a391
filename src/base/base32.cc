// Bits are collected in `pending` and taken from the top, five at a time. Higher bits of `pending` are never cleared;
// they overflow harmlessly, because at most 4 + 8 bits are ever pending.
#include "base/base32.h"

#include <string_view>

namespace paraprint::inline base {

std::string base32(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string text;
  std::uint32_t pending = 0;
  unsigned pending_bits = 0;
  for (const std::uint8_t byte : bytes) {
    pending = pending << 8 | byte;
    pending_bits += 8;
    while (pending_bits >= 5) {
      pending_bits -= 5;
      text += kDigits[pending >> pending_bits & 31];
    }
  }
  // The last digit is filled with zero bits, and the text to whole groups of 40 bits, as RFC 4648 requires.
  if (pending_bits > 0) text += kDigits[pending << (5 - pending_bits) & 31];
  while (text.size() % 8 != 0) text += '=';
  return text;
}

}  // namespace paraprint::inline base
