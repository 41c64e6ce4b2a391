// How much two paragraphs have in common, by the groups of three characters in them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/normalise.h"

namespace paraprint::inline trim {

// Hashes of all groups of three neighbouring letters and digits of the normalised text, ascending; one that occurs
// several times is there as often. The text is padded by two characters at both ends, so that a text with n letters and
// digits has n + 2 groups, and none if n is 0. O(n log n).
std::vector<std::uint32_t> trigrams_of(std::string_view text, const Normaliser& normaliser);

// Whether two texts have 85 % of their groups in common: whether twice the number of common ones is at least 85 % of
// that of both. Requires ascending hashes. Adds the groups that it looked at to `looked_at`: of texts that have little
// in common, a part of x + y.
bool are_mostly_common(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y, std::uint64_t& looked_at);

}  // namespace paraprint::inline trim
