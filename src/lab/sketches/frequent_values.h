// Values that too many pages share: phrases of templates, which say nothing about a page (algorithms.md 27.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paraprint/page_fingerprint.h"

namespace paraprint {

// Ascending: the values that more than `pages_maximum` of the usable fingerprints hold, each of which is ascending and
// without repeats. Pages of equal text count once, else the mirrors of one article would erase it. Independent of the
// order of the fingerprints. Memory: 8 bytes a value. O(values).
std::vector<std::uint64_t> frequent_values(std::span<const PageFingerprint> fingerprints, std::uint64_t pages_maximum);

}  // namespace paraprint
