// SimHash of weighted features, 128 bits (M. Charikar, STOC 2002; docs/algorithms/simhash.md).
//
// Every feature votes with its weight on every bit: for it if its hash has the bit, against it otherwise. A fingerprint
// bit is 1 if its votes sum to more than 0. Sums are integers, so the result does not depend on order, threads or
// machine. Each feature is one pass over 128 counters. The counters have 32 bits, so that a vector unit handles eight
// or sixteen at a time, and are added to 64-bit totals before they can overflow.
#pragma once

#include <cstdint>
#include <span>

#include "paraprint/model.h"

namespace paraprint::inline fingerprint {

// The number of votes of weight 1.0: weights become llround(weight * 65536) votes (docs/algorithms/word-weights.md).
inline constexpr std::uint32_t kSimHashWeightOne = 65536;

// hashes[i] votes with weights[i], each at most 2^28; both spans have the same length. Bits are 0 without features and
// where the votes are tied. O(128 * features). Thread-safe; does not allocate.
Fingerprint128 simhash128(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights);

// The same result computed from the definition, bit by bit, as a test oracle.
Fingerprint128 simhash128_reference(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights);

}  // namespace paraprint::inline fingerprint
