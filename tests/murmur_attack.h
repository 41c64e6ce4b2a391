// MurmurHash3_x64_128 (seed 0) from the side of an attacker: its state can be read off, and each step be undone, so
// that anyone can make different bytes of one hash.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace paraprint {

struct MurmurState {
  static constexpr std::uint64_t kC1 = 0x87C37B91114253D5ULL;
  static constexpr std::uint64_t kC2 = 0x4CF5AD432745937FULL;
  static constexpr std::size_t kBlockBytes = 16;
  static constexpr std::size_t kWordBytes = 8;

  std::uint64_t h1 = 0;
  std::uint64_t h2 = 0;

  // The eight bytes at a place, as a number.
  static std::uint64_t word_at(std::string_view text, std::size_t at) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof word);
    return word;
  }

  // After a text of whole blocks.
  static MurmurState after(std::string_view text) {
    MurmurState state;
    for (std::size_t at = 0; at < text.size(); at += kBlockBytes) {
      state.h1 ^= std::rotl(word_at(text, at) * kC1, 31) * kC2;
      state.h1 = (std::rotl(state.h1, 27) + state.h2) * 5 + 0x52DCE729;
      state.h2 ^= std::rotl(word_at(text, at + kWordBytes) * kC2, 33) * kC1;
      state.h2 = (std::rotl(state.h2, 31) + state.h1) * 5 + 0x38495AB5;
    }
    return state;
  }

  // The inverse of an odd number modulo 2^64; each step of Newton's method doubles the correct bits.
  static std::uint64_t inverse_of(std::uint64_t odd) {
    std::uint64_t inverse = odd;
    for (int step = 0; step < 5; ++step) inverse *= 2 - odd * inverse;
    return inverse;
  }
};

// 32 bytes that differ for each number and have the same hash: the second half takes the state back to where it began.
inline std::string word_of_one_hash(std::uint64_t number) {
  std::string word(MurmurState::kBlockBytes, 'w');
  for (std::size_t digit = 15; digit > 0; --digit, number /= 10) word[digit] = static_cast<char>('0' + number % 10);
  const MurmurState state = MurmurState::after(word);
  const std::uint64_t of_five = MurmurState::inverse_of(5);
  const std::uint64_t of_c1 = MurmurState::inverse_of(MurmurState::kC1);
  const std::uint64_t of_c2 = MurmurState::inverse_of(MurmurState::kC2);
  const std::uint64_t mixed1 = state.h1 ^ std::rotr((0 - std::uint64_t{0x52DCE729}) * of_five - state.h2, 27);
  const std::uint64_t mixed2 = state.h2 ^ std::rotr((0 - std::uint64_t{0x38495AB5}) * of_five, 31);
  for (const std::uint64_t half : {std::rotr(mixed1 * of_c2, 31) * of_c1, std::rotr(mixed2 * of_c1, 33) * of_c2}) {
    word.append(reinterpret_cast<const char*>(&half), sizeof half);
  }
  return word;
}

}  // namespace paraprint
