// Rank and select in bitmaps of 64-bit words, lowest bit first, without instructions that only some processors have
// (POPCNT, PDEP).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace paraprint::inline base {

// Byte i of the result is the number of set bits in bytes 0 to i of `word`.
inline std::uint64_t set_bits_up_to_byte(std::uint64_t word) {
  word -= word >> 1 & 0x5555555555555555ULL;
  word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
  word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  return word * 0x0101010101010101ULL;
}

inline unsigned count_set_bits(std::uint64_t word) {
  return static_cast<unsigned>(set_bits_up_to_byte(word) >> 56);
}

namespace detail {

// [rank][byte]: the position of the set bit that has `rank` set bits below it.
consteval std::array<std::array<std::uint8_t, 256>, 8> make_bit_places() {
  std::array<std::array<std::uint8_t, 256>, 8> places{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned rank = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) places[rank++][byte] = static_cast<std::uint8_t>(bit);
    }
  }
  return places;
}
inline constexpr std::array<std::array<std::uint8_t, 256>, 8> kBitPlaces = make_bit_places();

}  // namespace detail

// The position of the set bit with `rank` set bits below it, which must exist. `sums` is set_bits_up_to_byte(word).
inline unsigned select_in_word(std::uint64_t word, std::uint64_t sums, unsigned rank) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  constexpr std::uint64_t kHighs = 0x8080808080808080ULL;
  // A byte keeps its high bit if at most `rank` bits are set up to its end, that is, if it is before the wanted byte.
  const std::uint64_t is_before = ((rank * kOnes | kHighs) - sums) & kHighs;
  const auto shift = static_cast<unsigned>((is_before >> 7) * kOnes >> 56) * 8;
  const auto below = static_cast<unsigned>(sums << 8 >> shift & 0xFF);
  return shift + detail::kBitPlaces[rank - below][word >> shift & 0xFF];
}

// The position of the `rank`-th zero bit (0-based) at or after bit `from`, which must exist.
inline std::uint64_t find_zero_bit(const std::uint64_t* bitmap, std::uint64_t from, std::uint64_t rank) {
  std::uint64_t at = from / 64;
  std::uint64_t zeros = ~bitmap[at] & ~std::uint64_t{0} << from % 64;
  for (;;) {
    const std::uint64_t sums = set_bits_up_to_byte(zeros);
    const std::uint64_t count = sums >> 56;
    if (rank < count) return at * 64 + select_in_word(zeros, sums, static_cast<unsigned>(rank));
    rank -= count;
    zeros = ~bitmap[++at];
  }
}

// The 64 bits that start at bit `from`. Reads the word of that bit and the next one, so the bitmap needs a spare word.
inline std::uint64_t bits_from(const std::uint64_t* bitmap, std::uint64_t from) {
  const std::uint64_t at = from / 64;
  const unsigned shift = from % 64;
  return bitmap[at] >> shift | bitmap[at + 1] << 1 << (63 - shift);
}

// The number of consecutive ones that start at bit `from`. A zero must follow.
inline std::uint64_t count_ones_from(const std::uint64_t* bitmap, std::uint64_t from) {
  std::uint64_t ones = 0;
  for (;;) {
    const auto run = static_cast<unsigned>(std::countr_one(bits_from(bitmap, from + ones)));
    ones += run;
    if (run < 64) return ones;
  }
}

}  // namespace paraprint::inline base
