// Union-find: divides the numbers 0 to n - 1 into sets and joins sets. The smallest element of a set is its root, so
// the sets and their roots do not depend on the order of the joins.
//
//   std::vector<std::uint32_t> parents(pages);
//   UnionFind<std::uint32_t> components(parents);
//   for (const Match& match : matches) components.join(match.page_a, match.page_b);
//   components.flatten();  // now parents[page] is the first page of its component
#pragma once

#include <algorithm>
#include <concepts>
#include <numeric>
#include <span>

namespace paraprint::inline base {

// The caller owns the memory, one element each, so that it may be an array that moves to disk (memory/spill_array.h);
// it must outlive this object and not be written by others. Elements must be below the size of the memory.
// Cost: m calls on n elements take O(m log n) at worst (path halving, Tarjan and van Leeuwen 1984). Joining by size
// would be nearly linear, but takes a second array, and its roots would depend on the order.
// Threads: one at a time, because find() writes, too.
template <std::unsigned_integral Element>
class UnionFind {
 public:
  // Overwrites `parents`: each element becomes a set of its own.
  explicit UnionFind(std::span<Element> parents) : parents_(parents) {
    std::iota(parents_.begin(), parents_.end(), Element{0});
  }

  // The root of the element's set. On the way, every second element is attached to its grandparent.
  Element find(Element element) {
    while (parents_[element] != element) element = parents_[element] = parents_[parents_[element]];
    return element;
  }

  void join(Element a, Element b) {
    const Element root_a = find(a);
    const Element root_b = find(b);
    parents_[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }

  // Sets the parent of each element to its root. Linear: a parent is never larger than its child, so in ascending order
  // the parent's own entry is already its root.
  void flatten() {
    for (Element& parent : parents_) parent = parents_[parent];
  }

 private:
  std::span<Element> parents_;
};

}  // namespace paraprint::inline base
