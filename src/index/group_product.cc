// A product of two large groups would be as quadratic as the pairs within one, and is thinned in the same way: the
// pages of a group are linked to each other already, so that all of them stay connected.
#include "index/group_product.h"

#include <algorithm>
#include <cstddef>

namespace paraprint::inline index {

Status push_product_pairs(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
                          const GroupCaps& caps, CandidatePairSorter& pairs, std::uint64_t& pairs_not_generated) {
  std::uint64_t generated = 0;
  Status status;
  for_each_product_pair(left.size(), right.size(), caps, [&](std::size_t l, std::size_t r) {
    if (!status || left[l] == right[r]) return;
    status = pairs.push({std::min(left[l], right[r]), std::max(left[l], right[r]), 0, 1, 0});
    ++generated;
  });
  pairs_not_generated += std::uint64_t{left.size()} * right.size() - generated;
  return status;
}

}  // namespace paraprint::inline index
