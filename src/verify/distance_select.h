// Selects the smallest of an array of distances, without a branch for each of them: where thousands of paragraphs are
// near each other, nothing could predict it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace paraprint::inline verify {

// Arrays are read in blocks of this many distances, which compilers turn into vector instructions.
inline constexpr std::size_t kDistanceBlock = 128;
// Pads the last block: it is never selected.
inline constexpr std::uint8_t kNoDistance = 0xFF;
// Of what is selected; the array may have others.
inline constexpr unsigned kSelectedDistanceMaximum = 127;

// `size` rounded up to whole blocks.
constexpr std::size_t whole_distance_blocks(std::size_t size) {
  return (size + kDistanceBlock - 1) / kDistanceBlock * kDistanceBlock;
}

// The smallest number up to `upper` that `wanted` of the distances do not exceed; `upper` if there are fewer. Whole
// blocks only. Cost: the size times the logarithm of `upper`, some hundredths of a nanosecond each.
unsigned limit_of_smallest(std::span<const std::uint8_t> distances, std::size_t wanted, unsigned upper);

// Appends the positions of the distances up to `limit`, ascending. Whole blocks only; `limit` at most
// kSelectedDistanceMaximum.
void append_up_to(std::span<const std::uint8_t> distances, unsigned limit, std::vector<std::uint32_t>& positions);

}  // namespace paraprint::inline verify
