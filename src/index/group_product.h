// Pairs between two groups of pages whose fingerprints are near: the pages of each group have the same fingerprint.
#pragma once

#include <cstdint>
#include <span>

#include "index/key_join.h"
#include "paraprint/result.h"

namespace paraprint::inline index {

// Pushes every pair of a page of `left` and a page of `right`; if either group is above the cap, only the first
// `star_pages` of each with all pages of the other. A page that is in both groups is not paired with itself. The pairs
// that are left out are added to `pairs_not_generated`. Errors: those of the sorter.
Status push_product_pairs(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
                          const GroupCaps& caps, CandidatePairSorter& pairs, std::uint64_t& pairs_not_generated);

}  // namespace paraprint::inline index
