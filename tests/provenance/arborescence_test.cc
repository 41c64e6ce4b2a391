// The best tree, compared with all trees of small graphs.
#include "provenance/arborescence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "property.h"

namespace paraprint {
namespace {

// Roots and the sum of weights; empty if the parents are not a forest along edges.
struct TreeValue {
  std::uint32_t roots = 0;
  std::int64_t weight = 0;
};

std::optional<TreeValue> value_of(const std::vector<std::uint32_t>& parents, const std::vector<DirectedEdge>& edges,
                                  const std::vector<std::int64_t>& root_weights) {
  TreeValue value;
  for (std::uint32_t node = 0; node < parents.size(); ++node) {
    if (parents[node] == kNoParent) {
      ++value.roots;
      value.weight += root_weights[node];
      continue;
    }
    std::optional<std::int64_t> best;
    for (const DirectedEdge& edge : edges) {
      if (edge.from == parents[node] && edge.to == node) best = std::max(best.value_or(edge.weight), edge.weight);
    }
    if (!best) return std::nullopt;
    value.weight += *best;
    std::uint32_t at = node;
    for (std::size_t step = 0; step <= parents.size() && at != kNoParent; ++step) at = parents[at];
    if (at != kNoParent) return std::nullopt;  // a cycle
  }
  return value;
}

// Tries every parent of every node.
TreeValue best_by_trying(std::uint32_t nodes, const std::vector<DirectedEdge>& edges,
                         const std::vector<std::int64_t>& root_weights) {
  TreeValue best{nodes + 1, -std::numeric_limits<std::int64_t>::max()};  // the smallest number has no negative
  std::vector<std::uint32_t> parents(nodes, 0);
  std::size_t trials = 1;
  for (std::uint32_t node = 0; node < nodes; ++node) trials *= nodes + std::size_t{1};
  for (std::size_t trial = 0; trial < trials; ++trial) {
    std::size_t rest = trial;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const auto digit = static_cast<std::uint32_t>(rest % (nodes + 1));
      parents[node] = digit == nodes ? kNoParent : digit;
      rest /= nodes + 1;
    }
    const std::optional<TreeValue> value = value_of(parents, edges, root_weights);
    if (!value) continue;
    if (std::tuple(value->roots, -value->weight) < std::tuple(best.roots, -best.weight)) best = *value;
  }
  return best;
}

TEST(Arborescence, FollowsTheHeaviestEdges) {
  const std::vector<DirectedEdge> edges = {{0, 1, 5}, {1, 2, 4}, {0, 2, 3}, {2, 0, 1}};
  EXPECT_EQ(maximum_arborescence(3, edges, std::vector<std::int64_t>(3, 0)),
            (std::vector<std::uint32_t>{kNoParent, 0, 1}));
}

// Each of 1 and 2 is the best source of the other one; the cycle is entered where that costs least.
TEST(Arborescence, OpensACycleAtTheCheapestPlace) {
  const std::vector<DirectedEdge> edges = {{1, 2, 10}, {2, 1, 10}, {0, 1, 4}, {0, 2, 6}, {1, 0, -9}, {2, 0, -9}};
  EXPECT_EQ(maximum_arborescence(3, edges, std::vector<std::int64_t>(3, 0)),
            (std::vector<std::uint32_t>{kNoParent, 2, 0}));
}

TEST(Arborescence, RootWeightsDecideBetweenEqualTrees) {
  const std::vector<DirectedEdge> edges = {{0, 1, 1}, {1, 0, 1}};
  EXPECT_EQ(maximum_arborescence(2, edges, std::vector<std::int64_t>{0, 1}),
            (std::vector<std::uint32_t>{1, kNoParent}));
  EXPECT_EQ(maximum_arborescence(2, edges, std::vector<std::int64_t>{1, 0}),
            (std::vector<std::uint32_t>{kNoParent, 0}));
}

TEST(Arborescence, NodesWithoutEdgesAreRoots) {
  EXPECT_TRUE(maximum_arborescence(0, {}, {}).empty());
  EXPECT_EQ(maximum_arborescence(2, {}, std::vector<std::int64_t>(2, 0)),
            (std::vector<std::uint32_t>{kNoParent, kNoParent}));
}

TEST(Arborescence, IsAsGoodAsTheBestOfAllTrees) {
  CHECK_PROPERTY("equals brute force", [] {
    const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 6);
    std::vector<DirectedEdge> edges;
    for (std::uint32_t from = 0; from < nodes; ++from) {
      for (std::uint32_t to = 0; to < nodes; ++to) {
        // Small weights, so that many trees are equal; some edges are missing and some double.
        const int copies = from == to ? 0 : *rc::gen::inRange(0, 3);
        for (int copy = 0; copy < copies; ++copy) edges.push_back({from, to, *rc::gen::inRange(-4, 5)});
      }
    }
    std::vector<std::int64_t> root_weights;
    for (std::uint32_t node = 0; node < nodes; ++node) root_weights.push_back(*rc::gen::inRange(-3, 4));
    const std::optional<TreeValue> found =
        value_of(maximum_arborescence(nodes, edges, root_weights), edges, root_weights);
    RC_ASSERT(found.has_value());
    const TreeValue best = best_by_trying(nodes, edges, root_weights);
    RC_ASSERT(found->roots == best.roots);
    RC_ASSERT(found->weight == best.weight);
  });
}

// Deep heaps and many nested cycles: a ring in both directions.
TEST(Arborescence, CopesWithLongCycles) {
  constexpr std::uint32_t kNodes = 50'000;
  std::vector<DirectedEdge> edges;
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    const std::uint32_t next = (node + 1) % kNodes;
    edges.push_back({node, next, 100 + node % 7});
    edges.push_back({next, node, 100 + node % 5});
  }
  const std::vector<std::uint32_t> parents = maximum_arborescence(kNodes, edges, std::vector<std::int64_t>(kNodes, 0));
  EXPECT_EQ(std::count(parents.begin(), parents.end(), kNoParent), 1);
  EXPECT_TRUE(std::all_of(parents.begin(), parents.end(),
                          [](std::uint32_t parent) { return parent == kNoParent || parent < kNodes; }));
}

}  // namespace
}  // namespace paraprint
