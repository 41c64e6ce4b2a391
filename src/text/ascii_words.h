// Processes eight characters at a time in one 64-bit word. Character i is byte i (little-endian), and a result about it
// is the high bit of that byte. No branch depends on the eight characters, so none can be mispredicted.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace paraprint::inline text::ascii_words {

static_assert(std::endian::native == std::endian::little);

inline constexpr std::uint32_t kSizeBytes = 8;
inline constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
inline constexpr std::uint64_t kHighBits = kOnes * 0x80;

inline std::uint64_t load(const char* position) {
  std::uint64_t word;
  std::memcpy(&word, position, sizeof(word));
  return word;
}

// Marks characters that are not ASCII.
constexpr std::uint64_t non_ascii(std::uint64_t word) {
  return word & kHighBits;
}

// Marks characters from `first` to `last`. All eight must be ASCII.
constexpr std::uint64_t in_range(std::uint64_t word, unsigned first, unsigned last) {
  return (word + kOnes * (0x80U - first)) & ~(word + kOnes * (0x7FU - last)) & kHighBits;
}

// Marks letters and digits. All eight must be ASCII.
constexpr std::uint64_t letters_and_digits(std::uint64_t word) {
  return in_range(word | kOnes * 0x20, 'a', 'z') | in_range(word, '0', '9');
}

constexpr std::uint32_t count(std::uint64_t answer) {
  return static_cast<std::uint32_t>((answer >> 7) * kOnes >> 56);
}

// The number of characters before the first marked one; 8 if none is marked.
constexpr std::uint32_t before_first(std::uint64_t answer) {
  return static_cast<std::uint32_t>(std::countr_zero(answer)) / 8;
}

}  // namespace paraprint::inline text::ascii_words
