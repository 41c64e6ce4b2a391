// SimHash of weighted features, 128 bits (algorithms.md 11 and 21; Charikar, STOC 2002).
//
// Every feature votes with its weight on every bit: + where its hash has the bit, - where not. A fingerprint bit is 1
// when its votes sum to more than 0. Sums are integers, so the result does not depend on order, threads or machine.
// The votes of one feature are one pass over 128 counters; the counters are 32 bits wide so that a vector unit handles
// them eight or sixteen at a time, and they are emptied into 64-bit totals before they could overflow.
#pragma once

#include <cstdint>
#include <span>

#include "paraprint/model.h"

namespace paraprint {

// Votes of weight 1.0: algorithms.md 0.3 takes llround(weight * 65536).
inline constexpr std::uint32_t kSimHashWeightOne = 65536;

// hashes[i] votes with weights[i], each at most 2^28. Equal lengths. O(128 * features); thread-safe, no allocation.
// Without features, or where the votes are even, bits are 0.
Fingerprint128 simhash128(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights);

// The same by definition, bit by bit: the oracle of the tests.
Fingerprint128 simhash128_reference(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights);

}  // namespace paraprint
