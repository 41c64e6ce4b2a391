// SimHash of weighted features, 128 bits (M. Charikar, STOC 2002; docs/algorithms/simhash.md).
//
// Every feature votes with its weight on every bit: for it if its hash has the bit, against it otherwise. A fingerprint
// bit is 1 if its votes sum to more than 0. Sums are integers, so the result does not depend on order, threads or
// machine. Each feature is one pass over 128 counters. The counters have 32 bits, so that a vector unit handles eight
// or sixteen at a time, and are added to 64-bit totals before they can overflow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paraprint/model.h"

namespace paraprint::inline fingerprint {

// The number of votes of weight 1.0: weights become llround(weight * 65536) votes (docs/algorithms/word-weights.md).
inline constexpr std::uint32_t kSimHashWeightOne = 65536;

// The largest weight of a feature, far below the counter limit, so that every batch takes at least 15 weights.
inline constexpr std::uint32_t kSimHashWeightMaximum = std::uint32_t{1} << 28;

// Appends a feature to those that simhash128() takes, as several of one hash if its weight is above the maximum, and
// not at all if it is 0.
void append_feature(const Fingerprint128& hash, std::uint64_t weight, std::vector<Fingerprint128>& hashes,
                    std::vector<std::uint32_t>& weights);

// hashes[i] votes with weights[i], each at most kSimHashWeightMaximum; both spans have the same length. Bits are 0
// without features and where the votes are tied. O(128 * features). Thread-safe; does not allocate.
Fingerprint128 simhash128(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights);

// The same result computed from the definition, bit by bit, as a test oracle.
Fingerprint128 simhash128_reference(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights);

}  // namespace paraprint::inline fingerprint
