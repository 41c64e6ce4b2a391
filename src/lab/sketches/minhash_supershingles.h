// Six hashes of fourteen min-hashes each (D. Fetterly, M. Manasse, M. Najork 2003; docs/algorithms/shingles.md). Even
// one equal supershingle requires very similar sets of shingles, since all fourteen min-hashes must be equal.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fingerprint/page_fingerprinter.h"

namespace paraprint::inline lab::inline sketches {

inline constexpr std::size_t kSupershingles = 6;
inline constexpr std::size_t kMinHashesOfSupershingle = 14;

inline constexpr ParameterInfo kCommonSupershinglesParameter{
    "common_minimum", "minimum number of common supershingles of copies, out of six", 2, 1, kSupershingles};

// The supershingles of a non-empty set. O(84 * shingles).
std::array<std::uint64_t, kSupershingles> supershingles(std::span<const std::uint64_t> shingles);

// The number of equal supershingles at the same places, 0 to 6; both spans may be longer.
std::size_t common_supershingles(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// Appends index keys such that two pages have an equal key exactly if min(common_minimum, 2) supershingles are equal:
// for 1 each supershingle with its place, for more the fifteen pairs of places ("megashingles").
void append_supershingle_keys(std::span<const std::uint64_t> values, std::size_t common_minimum,
                              std::vector<std::uint64_t>& keys);

}  // namespace paraprint::inline lab::inline sketches
