// A virtual root with an edge to every node makes one tree of it; the price of its edges is so high that as few of them
// as possible are used. Nodes are visited one after the other: each takes its best incoming edge, and a cycle that
// closes this way becomes a single node. The edges into a node are a skew heap, whose weights can all be changed at
// once: what enters a cycle loses the weight of the edge that it replaces. At the end cycles are opened again, the last
// one first, at the node where the tree enters.
#include "provenance/arborescence.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace paraprint::inline provenance {
namespace {

constexpr std::int64_t kRootPrice = std::int64_t{1} << 41;
constexpr std::uint32_t kNone = 0xFFFFFFFF;

// Heaps of edges by number, the one with the largest weight on top. Of equal weights, the smaller number.
class EdgeHeaps {
 public:
  explicit EdgeHeaps(std::span<const DirectedEdge> edges) : nodes_(edges.size()) {
    for (std::size_t edge = 0; edge < edges.size(); ++edge) nodes_[edge].weight = edges[edge].weight;
  }

  std::int64_t weight(std::uint32_t top) const { return nodes_[top].weight + nodes_[top].pending; }
  void add_to_all(std::uint32_t top, std::int64_t weight) {
    if (top != kNone) nodes_[top].pending += weight;
  }

  // Iterative: a skew heap may be as deep as it is large.
  std::uint32_t merge(std::uint32_t a, std::uint32_t b) {
    path_.clear();
    while (a != kNone && b != kNone) {
      push_down(a);
      push_down(b);
      if (nodes_[a].weight < nodes_[b].weight || (nodes_[a].weight == nodes_[b].weight && b < a)) std::swap(a, b);
      path_.push_back(a);
      a = nodes_[a].right;
    }
    std::uint32_t merged = a != kNone ? a : b;
    while (!path_.empty()) {
      HeapNode& node = nodes_[path_.back()];
      node.right = std::exchange(node.left, merged);
      merged = path_.back();
      path_.pop_back();
    }
    return merged;
  }

  std::uint32_t without_top(std::uint32_t top) {
    push_down(top);
    return merge(nodes_[top].left, nodes_[top].right);
  }

 private:
  struct HeapNode {
    std::int64_t weight = 0;
    std::int64_t pending = 0;  // of this edge and all below it
    std::uint32_t left = kNone;
    std::uint32_t right = kNone;
  };

  void push_down(std::uint32_t at) {
    HeapNode& node = nodes_[at];
    node.weight += node.pending;
    add_to_all(node.left, node.pending);
    add_to_all(node.right, node.pending);
    node.pending = 0;
  }

  std::vector<HeapNode> nodes_;
  std::vector<std::uint32_t> path_;
};

// Union-find whose last unions can be taken back.
class UndoableSets {
 public:
  explicit UndoableSets(std::uint32_t count) : parents_(count), sizes_(count, 1) {
    for (std::uint32_t node = 0; node < count; ++node) parents_[node] = node;
  }
  std::uint32_t find(std::uint32_t node) const {
    while (parents_[node] != node) node = parents_[node];
    return node;
  }
  bool join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (sizes_[a] < sizes_[b]) std::swap(a, b);
    parents_[b] = a;
    sizes_[a] += sizes_[b];
    joined_.push_back(b);
    return true;
  }
  std::size_t time() const { return joined_.size(); }
  void undo_to(std::size_t time) {
    while (joined_.size() > time) {
      const std::uint32_t node = joined_.back();
      joined_.pop_back();
      sizes_[parents_[node]] -= sizes_[node];
      parents_[node] = node;
    }
  }

 private:
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> joined_;
};

struct ClosedCycle {
  std::uint32_t node = 0;  // that it became
  std::size_t time = 0;    // of the sets before
  std::vector<std::uint32_t> edges;
};

class ArborescenceSearch {
 public:
  ArborescenceSearch(std::uint32_t nodes, std::span<const DirectedEdge> edges)
      : root_(nodes), edges_(edges), heaps_(edges), sets_(nodes + 1), tops_(nodes + 1, kNone), chosen_(nodes, kNone) {
    for (std::uint32_t edge = 0; edge < edges.size(); ++edge) {
      tops_[edges[edge].to] = heaps_.merge(tops_[edges[edge].to], edge);
    }
  }

  // The edge into each node but the root, which is the last node.
  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> seen_from(root_ + 1, kNone);
    seen_from[root_] = root_;
    for (std::uint32_t start = 0; start < root_; ++start) walk_back(start, seen_from);
    for (auto cycle = cycles_.rbegin(); cycle != cycles_.rend(); ++cycle) {
      sets_.undo_to(cycle->time);
      const std::uint32_t entering = chosen_of_[cycle->node];
      for (const std::uint32_t edge : cycle->edges) chosen_of_[sets_.find(edges_[edge].to)] = edge;
      chosen_of_[sets_.find(edges_[entering].to)] = entering;
    }
    for (std::uint32_t node = 0; node < root_; ++node) chosen_[node] = chosen_of_[sets_.find(node)];
    return std::move(chosen_);
  }

 private:
  // Without edges between nodes of a cycle that became `node`. There is one, because the root has an edge to every
  // node.
  std::uint32_t best_edge_into(std::uint32_t node) {
    std::uint32_t& top = tops_[node];
    while (top != kNone && sets_.find(edges_[top].from) == node) top = heaps_.without_top(top);
    PARAPRINT_ASSERT(top != kNone);
    return top;
  }

  // From `start` backwards along best edges, until a node is met that an earlier walk had.
  void walk_back(std::uint32_t start, std::vector<std::uint32_t>& seen_from) {
    std::vector<std::uint32_t> path_edges;
    std::vector<std::uint32_t> path_nodes;
    std::uint32_t at = sets_.find(start);
    while (seen_from[at] == kNone) {
      const std::uint32_t edge = best_edge_into(at);
      heaps_.add_to_all(edge, -heaps_.weight(edge));
      tops_[at] = heaps_.without_top(edge);
      path_edges.push_back(edge);
      path_nodes.push_back(at);
      seen_from[at] = start;
      at = sets_.find(edges_[edge].from);
      if (seen_from[at] == start) at = close_cycle(at, path_nodes, path_edges, seen_from);
    }
    for (std::size_t i = 0; i < path_edges.size(); ++i)
      chosen_of_[sets_.find(edges_[path_edges[i]].to)] = path_edges[i];
  }

  // The path has come back to `at`: all nodes from there on become one, which is then at the end of the path.
  std::uint32_t close_cycle(std::uint32_t at, std::vector<std::uint32_t>& path_nodes,
                            std::vector<std::uint32_t>& path_edges, std::vector<std::uint32_t>& seen_from) {
    ClosedCycle cycle;
    cycle.time = sets_.time();
    std::uint32_t top = kNone;
    std::uint32_t node = kNone;
    do {
      node = path_nodes.back();
      top = heaps_.merge(top, tops_[node]);
      cycle.edges.push_back(path_edges.back());
      path_nodes.pop_back();
      path_edges.pop_back();
    } while (node != at);
    for (const std::uint32_t edge : cycle.edges) sets_.join(at, edges_[edge].to);
    cycle.node = sets_.find(at);
    tops_[cycle.node] = top;
    seen_from[cycle.node] = kNone;
    cycles_.push_back(std::move(cycle));
    return cycles_.back().node;
  }

  std::uint32_t root_;
  std::span<const DirectedEdge> edges_;
  EdgeHeaps heaps_;
  UndoableSets sets_;
  std::vector<std::uint32_t> tops_;  // by node: the best edge into it
  std::vector<std::uint32_t> chosen_;
  std::vector<std::uint32_t> chosen_of_ = std::vector<std::uint32_t>(root_ + 1, kNone);  // by node of the sets
  std::vector<ClosedCycle> cycles_;
};

}  // namespace

std::vector<std::uint32_t> maximum_arborescence(std::uint32_t nodes, std::span<const DirectedEdge> edges,
                                                std::span<const std::int64_t> root_weights) {
  PARAPRINT_ASSERT(root_weights.size() == nodes && nodes < 1U << 20);
  std::vector<DirectedEdge> all(edges.begin(), edges.end());
  for (std::uint32_t node = 0; node < nodes; ++node) {
    all.push_back({nodes, node, root_weights[node] - kRootPrice});
  }
  const std::vector<std::uint32_t> chosen = ArborescenceSearch(nodes, all).run();
  std::vector<std::uint32_t> parents(nodes, kNoParent);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const std::uint32_t from = all[chosen[node]].from;
    if (from != nodes) parents[node] = from;
  }
  return parents;
}

}  // namespace paraprint::inline provenance
