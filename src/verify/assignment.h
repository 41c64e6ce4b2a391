// One-to-one assignment of maximum total gain in a sparse bipartite graph, used to pair up edited paragraphs
// (docs/algorithms/paragraph-matching.md).
#pragma once

#include <cstdint>
#include <vector>

#include "base/stop.h"

namespace paraprint::inline verify {

// Nodes are numbered from 0 on each side; memory is proportional to the largest numbers.
struct AssignmentEdge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  double gain = 0;  // > 0
};

// Returns the indices of the chosen edges, ascending. Connected components of up to kExactComponentNodes nodes are
// solved exactly (Hungarian method, O(n^3)), larger ones greedily by gain, which reaches at least half of the optimum.
// Ties go to the smaller (left, right), so the result does not depend on the order of `edges`. If `stop` is stopped in
// between, edges are missing.
std::vector<std::uint32_t> best_assignment(const std::vector<AssignmentEdge>& edges, StopCheck& stop);

inline constexpr std::uint32_t kExactComponentNodes = 64;

}  // namespace paraprint::inline verify
