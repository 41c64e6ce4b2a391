// The graph is split into connected components first (union-find), because edges between paragraphs are sparse: most
// components are a single edge, and the cubic Hungarian method runs on small dense matrices only.
#include "verify/assignment.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/assert.h"
#include "base/union_find.h"

namespace paraprint::inline verify {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// The nodes that an edge connects, numbered from 0 over both sides.
struct Ends {
  std::size_t left = 0;
  std::size_t right = 0;
};

// The distinct node numbers of one side, ascending. Positions in it renumber the nodes to 0, 1, 2, ...
std::vector<std::uint32_t> distinct(const std::vector<AssignmentEdge>& edges, std::uint32_t AssignmentEdge::*side) {
  std::vector<std::uint32_t> values;
  for (const AssignmentEdge& edge : edges) values.push_back(edge.*side);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::size_t position(const std::vector<std::uint32_t>& values, std::uint32_t value) {
  return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

// Takes the edges of one component by descending gain, ties by (left, right), skipping edges with a used end. Each edge
// taken blocks at most two edges of an optimal assignment, neither with a larger gain: hence at least half the optimum.
// The component is ascending by (left, right). `ends` are the nodes of each edge, `is_used` has a flag per node.
void choose_greedily(const std::vector<AssignmentEdge>& edges, std::span<std::uint32_t> component,
                     const std::vector<Ends>& ends, std::vector<bool>& is_used, std::vector<std::uint32_t>& chosen) {
  std::stable_sort(component.begin(), component.end(),
                   [&](std::uint32_t x, std::uint32_t y) { return edges[x].gain > edges[y].gain; });
  for (const std::uint32_t index : component) {
    if (is_used[ends[index].left] || is_used[ends[index].right]) continue;
    is_used[ends[index].left] = true;
    is_used[ends[index].right] = true;
    chosen.push_back(index);
  }
}

// The Hungarian method with potentials (H. W. Kuhn 1955, in the O(rows^2 * columns) form with shortest augmenting
// paths) on costs of -gain. Requires rows <= columns. Pairs without an edge cost 0, so that every row can be assigned;
// the caller drops them from the result.
class Hungarian {
 public:
  Hungarian(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), cost_(rows * columns, 0), row_of_(columns + 1, kNone) {}

  void set_gain(std::size_t row, std::size_t column, double gain) { cost_[row * columns_ + column] = -gain; }

  // Returns the row assigned to each column, kNone for a free column.
  std::vector<std::size_t> solve() {
    std::vector<double> row_potential(rows_, 0);
    std::vector<double> column_potential(columns_ + 1, 0);
    for (std::size_t row = 0; row < rows_; ++row) augment(row, row_potential, column_potential);
    row_of_.resize(columns_);
    return row_of_;
  }

 private:
  // Places one more row by a Dijkstra-like search for the shortest augmenting path over reduced costs, then flips the
  // path. The potentials keep all reduced costs non-negative, which the search relies on.
  void augment(std::size_t first_row, std::vector<double>& row_potential, std::vector<double>& column_potential) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    const std::size_t source = columns_;  // virtual column that holds the row being placed
    std::vector<double> shortest(columns_, kInfinite);
    std::vector<std::size_t> previous(columns_, source);
    std::vector<bool> done(columns_ + 1, false);
    row_of_[source] = first_row;
    std::size_t column = source;
    while (row_of_[column] != kNone) {
      done[column] = true;
      const std::size_t row = row_of_[column];
      double delta = kInfinite;
      std::size_t next = kNone;
      for (std::size_t c = 0; c < columns_; ++c) {
        if (done[c]) continue;
        const double reduced = cost_[row * columns_ + c] - row_potential[row] - column_potential[c];
        if (reduced < shortest[c]) {
          shortest[c] = reduced;
          previous[c] = column;
        }
        if (shortest[c] < delta) {
          delta = shortest[c];
          next = c;
        }
      }
      // With rows <= columns a free column is always reachable.
      PARAPRINT_ASSERT(next != kNone);
      for (std::size_t c = 0; c <= columns_; ++c) {
        if (done[c]) {
          row_potential[row_of_[c]] += delta;
          column_potential[c] -= delta;
        } else if (c < columns_) {
          shortest[c] -= delta;
        }
      }
      column = next;
    }
    // Flip: every column on the path takes over the row of the column before it.
    while (column != source) {
      row_of_[column] = row_of_[previous[column]];
      column = previous[column];
    }
    row_of_[source] = kNone;
  }

  std::size_t rows_;
  std::size_t columns_;
  std::vector<double> cost_;
  std::vector<std::size_t> row_of_;
};

// Builds the dense cost matrix of one component, with its smaller side as rows, and keeps the assigned pairs that have
// an edge.
void choose_exactly(const std::vector<AssignmentEdge>& edges, std::span<const std::uint32_t> component,
                    std::vector<std::uint32_t>& chosen) {
  constexpr std::uint32_t kNoEdge = std::numeric_limits<std::uint32_t>::max();
  std::vector<AssignmentEdge> local;
  for (const std::uint32_t index : component) local.push_back(edges[index]);
  const std::vector<std::uint32_t> lefts = distinct(local, &AssignmentEdge::left);
  const std::vector<std::uint32_t> rights = distinct(local, &AssignmentEdge::right);
  const bool swapped = lefts.size() > rights.size();
  const std::size_t rows = std::min(lefts.size(), rights.size());
  const std::size_t columns = std::max(lefts.size(), rights.size());
  Hungarian hungarian(rows, columns);
  std::vector<std::uint32_t> edge_at(rows * columns, kNoEdge);
  for (const std::uint32_t index : component) {
    std::size_t row = position(lefts, edges[index].left);
    std::size_t column = position(rights, edges[index].right);
    if (swapped) std::swap(row, column);
    hungarian.set_gain(row, column, edges[index].gain);
    edge_at[row * columns + column] = index;
  }
  const std::vector<std::size_t> row_of = hungarian.solve();
  for (std::size_t column = 0; column < row_of.size(); ++column) {
    if (row_of[column] == kNone) continue;
    const std::uint32_t edge = edge_at[row_of[column] * columns + column];
    if (edge != kNoEdge) chosen.push_back(edge);
  }
}

}  // namespace

std::vector<std::uint32_t> best_assignment(const std::vector<AssignmentEdge>& edges, StopCheck& stop) {
  const std::vector<std::uint32_t> lefts = distinct(edges, &AssignmentEdge::left);
  const std::vector<std::uint32_t> rights = distinct(edges, &AssignmentEdge::right);
  std::vector<std::size_t> roots(lefts.size() + rights.size());  // the nodes of the left side come first
  UnionFind<std::size_t> connected(roots);
  std::vector<Ends> ends;
  ends.reserve(edges.size());
  for (const AssignmentEdge& edge : edges) {
    ends.push_back({position(lefts, edge.left), lefts.size() + position(rights, edge.right)});
    connected.join(ends.back().left, ends.back().right);
  }
  connected.flatten();
  std::vector<std::uint32_t> nodes(roots.size(), 0);  // of the component with this root
  for (const std::size_t root : roots) ++nodes[root];
  // By (left, right) within each component, so that nothing below depends on the input order.
  std::vector<std::uint32_t> order(edges.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
    const std::size_t root_x = roots[ends[x].left];
    const std::size_t root_y = roots[ends[y].left];
    if (root_x != root_y) return root_x < root_y;
    if (ends[x].left != ends[y].left) return ends[x].left < ends[y].left;
    return ends[x].right < ends[y].right;
  });
  std::vector<bool> is_used(roots.size(), false);
  std::vector<std::uint32_t> chosen;
  for (std::size_t begin = 0; begin < order.size();) {
    const std::size_t root = roots[ends[order[begin]].left];
    std::size_t end = begin + 1;
    while (end < order.size() && roots[ends[order[end]].left] == root) ++end;
    const std::span<std::uint32_t> component = std::span(order).subspan(begin, end - begin);
    begin = end;
    if (stop.after(StopCheck::kUnitsPerNode * component.size())) break;
    if (component.size() == 1) {
      chosen.push_back(component.front());
    } else if (nodes[root] <= kExactComponentNodes) {
      choose_exactly(edges, component, chosen);
    } else {
      choose_greedily(edges, component, ends, is_used, chosen);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace paraprint::inline verify
