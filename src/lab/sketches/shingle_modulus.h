// The sample of shingles whose hash is a multiple of a modulus (docs/algorithms/shingles.md).
#pragma once

#include <cstdint>
#include <vector>

#include "fingerprint/page_fingerprinter.h"

namespace paraprint::inline lab::inline sketches {

inline constexpr ParameterInfo kShingleModulusParameter{"modulus", "one in this many shingles is kept", 25, 1, 10000};
inline constexpr ParameterInfo kShingleCapParameter{"cap", "maximum number of shingles kept, by ascending hash", 400, 1,
                                                    100000};

// Removes all other shingles, and all but the `cap` smallest. `shingles` must be ascending.
inline void keep_multiples(std::uint64_t modulus, std::size_t cap, std::vector<std::uint64_t>& shingles) {
  std::erase_if(shingles, [modulus](std::uint64_t shingle) { return shingle % modulus != 0; });
  if (shingles.size() > cap) shingles.resize(cap);
}

}  // namespace paraprint::inline lab::inline sketches
