// Six hashes of fourteen min-hashes each (D. Fetterly, M. Manasse, M. Najork, 2003; algorithms.md 27.5): two pages have
// k of them equal only if their sets of shingles are very much alike.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fingerprint/page_fingerprinter.h"

namespace paraprint {

inline constexpr std::size_t kSupershingles = 6;
inline constexpr std::size_t kMinHashesOfSupershingle = 14;

inline constexpr ParameterInfo kCommonSupershinglesParameter{
    "common_minimum", "of the six supershingles that copies have in common", 2, 1, kSupershingles};

// Of a set that is not empty.
std::array<std::uint64_t, kSupershingles> supershingles(std::span<const std::uint64_t> shingles);

// In how many places they agree, 0 to 6.
std::size_t common_supershingles(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// One key is equal exactly where `common_minimum` (1 or more) supershingles are, at most two being looked at: for 1
// each with its place, else the fifteen pairs of places ("megashingles").
void append_supershingle_keys(std::span<const std::uint64_t> values, std::size_t common_minimum,
                              std::vector<std::uint64_t>& keys);

}  // namespace paraprint
