// The best tree of copies: a maximum spanning arborescence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace paraprint::inline provenance {

struct DirectedEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t weight = 0;  // absolute value below 2^40
};

inline constexpr std::uint32_t kNoParent = 0xFFFFFFFF;

// For each of `nodes` nodes the one that its edge in the tree comes from; kNoParent for the root. Of all arborescences
// with as few roots as possible, one with the largest sum of weights, those of the roots included: `root_weights` has
// what it is worth that a node has no parent. Of equal trees always the same one, which depends on the order of edges.
// If not all nodes can be reached from one, there are several roots.
//
// Requires nodes < 2^20 and edges between them without loops. Chu and Liu 1965, Edmonds 1967; with the heaps of Gabow,
// Galil, Spencer and Tarjan 1986 the cost is O(edges log nodes). Pure.
std::vector<std::uint32_t> maximum_arborescence(std::uint32_t nodes, std::span<const DirectedEdge> edges,
                                                std::span<const std::int64_t> root_weights);

}  // namespace paraprint::inline provenance
