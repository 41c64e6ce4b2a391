// Pairs between two groups of pages whose fingerprints are near: the pages of each group have the same fingerprint.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "index/key_join.h"
#include "paraprint/result.h"

namespace paraprint::inline index {

// A member of one group is paired with the members of the other one before this position. If either group is above the
// cap, only the first `star_pages` of each are paired with all of the other.
inline std::size_t end_of_product_partners(std::size_t member, std::size_t size, std::size_t other_size,
                                           const GroupCaps& caps) {
  const bool all = (size <= caps.group_cap && other_size <= caps.group_cap) || member < caps.star_pages;
  return all ? other_size : std::min<std::size_t>(other_size, caps.star_pages);
}

// Calls visit(l, r) for each pair of positions in groups of these sizes that `caps` allows, (0, 0) first. Exposed for
// joins that divide this work.
template <class Visit>
void for_each_product_pair(std::size_t left_size, std::size_t right_size, const GroupCaps& caps, Visit&& visit) {
  for (std::size_t left = 0; left < left_size; ++left) {
    const std::size_t end = end_of_product_partners(left, left_size, right_size, caps);
    for (std::size_t right = 0; right < end; ++right) visit(left, right);
  }
}

// Their number.
inline std::uint64_t product_pairs(std::size_t left_size, std::size_t right_size, const GroupCaps& caps) {
  const std::uint64_t stars = std::min<std::uint64_t>(left_size, caps.star_pages);
  return stars * right_size + (left_size - stars) * end_of_product_partners(left_size, left_size, right_size, caps);
}

// Pushes every pair of a page of `left` and a page of `right`; if either group is above the cap, only the first
// `star_pages` of each with all pages of the other. A page that is in both groups is not paired with itself. The pairs
// that are left out are added to `pairs_not_generated`. Errors: those of the sorter.
Status push_product_pairs(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
                          const GroupCaps& caps, CandidatePairSorter& pairs, std::uint64_t& pairs_not_generated);

}  // namespace paraprint::inline index
