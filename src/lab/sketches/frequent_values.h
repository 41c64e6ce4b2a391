// Values shared by too many pages: phrases of templates, which say nothing about a page (dropped by Heintze's sampler,
// docs/algorithms/shingles.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paraprint/page_fingerprint.h"

namespace paraprint::inline lab::inline sketches {

// The values that occur in more than `pages_maximum` usable fingerprints, ascending. The values of each fingerprint
// must be ascending and distinct. Pages with equal text count once, otherwise the mirrors of an article would erase it.
// The result does not depend on the order of the fingerprints. Memory: 8 bytes per value. O(values).
std::vector<std::uint64_t> frequent_values(std::span<const PageFingerprint> fingerprints, std::uint64_t pages_maximum);

}  // namespace paraprint::inline lab::inline sketches
