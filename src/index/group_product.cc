// A product of two large groups would be as quadratic as the pairs within one, and is thinned in the same way: the
// pages of a group are linked to each other already, so that all of them stay connected.
#include "index/group_product.h"

#include <algorithm>
#include <cstddef>

#include "base/propagate.h"

namespace paraprint::inline index {

Status push_product_pairs(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
                          const GroupCaps& caps, CandidatePairSorter& pairs, std::uint64_t& pairs_not_generated) {
  const bool is_full = left.size() <= caps.group_cap && right.size() <= caps.group_cap;
  std::uint64_t generated = 0;
  for (std::size_t l = 0; l < left.size(); ++l) {
    for (std::size_t r = 0; r < right.size(); ++r) {
      if (!is_full && l >= caps.star_pages && r >= caps.star_pages) break;
      if (left[l] == right[r]) continue;
      PARAPRINT_TRY(pairs.push({std::min(left[l], right[r]), std::max(left[l], right[r]), 0, 1, 0}));
      ++generated;
    }
  }
  pairs_not_generated += std::uint64_t{left.size()} * right.size() - generated;
  return {};
}

}  // namespace paraprint::inline index
