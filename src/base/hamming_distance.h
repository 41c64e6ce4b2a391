// The number of bits in which two fingerprints differ.
#pragma once

#include <cstdint>
#include <span>

#include "base/assert.h"
#include "base/bit_select.h"
#include "paraprint/model.h"

namespace paraprint::inline base {

// Without the instruction, std::popcount() is a call of a library.
inline int hamming_distance(const Fingerprint128& a, const Fingerprint128& b) {
  return static_cast<int>(count_set_bits(a.high ^ b.high) + count_set_bits(a.low ^ b.low));
}

// Whether they differ in at most `distance_bits` bits. Fingerprints of unrelated texts differ in about half of their
// bits, so that one half nearly always suffices.
inline bool is_within_distance(const Fingerprint128& a, const Fingerprint128& b, int distance_bits) {
  const auto high = static_cast<int>(count_set_bits(a.high ^ b.high));
  return high <= distance_bits && high + static_cast<int>(count_set_bits(a.low ^ b.low)) <= distance_bits;
}

// Requires equal lengths.
inline int hamming_distance(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  PARAPRINT_ASSERT(a.size() == b.size());
  int distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) distance += static_cast<int>(count_set_bits(a[i] ^ b[i]));
  return distance;
}

}  // namespace paraprint::inline base
