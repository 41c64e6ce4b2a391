// The number of bits in which two fingerprints differ.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "base/assert.h"
#include "paraprint/model.h"

namespace paraprint::inline base {

inline int hamming_distance(const Fingerprint128& a, const Fingerprint128& b) {
  return std::popcount(a.high ^ b.high) + std::popcount(a.low ^ b.low);
}

// Requires equal lengths.
inline int hamming_distance(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  PARAPRINT_ASSERT(a.size() == b.size());
  int distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) distance += std::popcount(a[i] ^ b[i]);
  return distance;
}

}  // namespace paraprint::inline base
