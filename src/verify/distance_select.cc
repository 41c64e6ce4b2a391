// Distances are counted sixteen or more at a time, in sums of bytes, and tested eight at a time in a word.
#include "verify/distance_select.h"

#include <bit>
#include <cstring>

#include "base/assert.h"

namespace paraprint::inline verify {
namespace {

std::size_t count_up_to(std::span<const std::uint8_t> distances, std::uint8_t limit) {
  static_assert(kDistanceBlock <= 0xFF);
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < distances.size(); begin += kDistanceBlock) {
    std::uint8_t in_block = 0;
    for (const std::uint8_t distance : distances.subspan(begin).first<kDistanceBlock>())
      in_block = static_cast<std::uint8_t>(in_block + (distance <= limit ? 1 : 0));
    count += in_block;
  }
  return count;
}

}  // namespace

unsigned limit_of_smallest(std::span<const std::uint8_t> distances, std::size_t wanted, unsigned upper) {
  unsigned lower = 0;
  while (lower < upper) {
    const unsigned middle = (lower + upper) / 2;
    if (count_up_to(distances, static_cast<std::uint8_t>(middle)) >= wanted) {
      upper = middle;
    } else {
      lower = middle + 1;
    }
  }
  return upper;
}

// In each byte, 128 + (distance - limit - 1) has the high bit if the distance is greater. It is at least 0, so no byte
// borrows from the next one. Distances from 128 on, which have the high bit themselves, are always greater.
void append_up_to(std::span<const std::uint8_t> distances, unsigned limit, std::vector<std::uint32_t>& positions) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  constexpr std::uint64_t kHighs = 0x8080808080808080ULL;
  PARAPRINT_ASSERT(limit <= kSelectedDistanceMaximum);
  for (std::size_t at = 0; at < distances.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, distances.data() + at, sizeof eight);
    std::uint64_t is_kept = ~((eight | kHighs) - (limit + 1) * kOnes) & ~eight & kHighs;
    for (; is_kept != 0; is_kept &= is_kept - 1)
      positions.push_back(static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(std::countr_zero(is_kept)) / 8);
  }
}

}  // namespace paraprint::inline verify
