// The graph is split into connected components first (union-find), because edges between paragraphs are sparse: most
// components are a single edge, and the cubic Hungarian method runs on small dense matrices only.
#include "verify/assignment.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/assert.h"
#include "base/union_find.h"
#include "memory/radix_sort.h"

namespace paraprint::inline verify {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

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

struct Ranked {
  std::uint64_t rank = 0;  // smaller for a larger gain: the bits of positive numbers are ordered as they are
  std::uint32_t edge = 0;
};

// Takes the edges of one component by descending gain, ties by (left, right), skipping edges with a used end. Each edge
// taken blocks at most two edges of an optimal assignment, neither with a larger gain: hence at least half the optimum.
// The component is ascending by (left, right). A flag per node tells whether it is used.
void choose_greedily(const std::vector<AssignmentEdge>& edges, std::span<const std::uint32_t> component,
                     std::vector<std::uint8_t>& is_left_used, std::vector<std::uint8_t>& is_right_used,
                     std::vector<std::uint32_t>& chosen) {
  std::vector<Ranked> ranked;
  ranked.reserve(component.size());
  for (const std::uint32_t index : component)
    ranked.push_back({~std::bit_cast<std::uint64_t>(edges[index].gain), index});
  // Thousands of edges, as of two lists whose rows all resemble each other, are sorted in a third of the time of a
  // comparison sort.
  std::vector<Ranked> scratch(ranked.size());
  const auto sorted =
      stable_radix_sort<8>(std::span(ranked), std::span(scratch), [](const Ranked& value) { return value.rank; });
  for (const Ranked& next : sorted) {
    const AssignmentEdge& edge = edges[next.edge];
    if (is_left_used[edge.left] != 0 || is_right_used[edge.right] != 0) continue;
    is_left_used[edge.left] = is_right_used[edge.right] = 1;
    chosen.push_back(next.edge);
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

// The edges in the order of (left, right), as which nearly all lists are given.
std::vector<std::uint32_t> in_order(const std::vector<AssignmentEdge>& edges) {
  std::vector<std::uint32_t> order(edges.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto is_before = [&](std::uint32_t x, std::uint32_t y) {
    return edges[x].left != edges[y].left ? edges[x].left < edges[y].left : edges[x].right < edges[y].right;
  };
  if (!std::is_sorted(order.begin(), order.end(), is_before)) std::sort(order.begin(), order.end(), is_before);
  return order;
}

}  // namespace

std::vector<std::uint32_t> best_assignment(const std::vector<AssignmentEdge>& edges, StopCheck& stop) {
  if (edges.empty()) return {};
  std::size_t lefts = 0;
  std::size_t rights = 0;
  for (const AssignmentEdge& edge : edges) {
    lefts = std::max<std::size_t>(lefts, edge.left + std::size_t{1});
    rights = std::max<std::size_t>(rights, edge.right + std::size_t{1});
  }
  std::vector<std::size_t> roots(lefts + rights);  // the nodes of the left side come first
  UnionFind<std::size_t> connected(roots);
  for (const AssignmentEdge& edge : edges) connected.join(edge.left, lefts + edge.right);
  connected.flatten();
  std::vector<std::uint32_t> nodes(roots.size(), 0);  // of the component with this root
  for (const std::size_t root : roots) ++nodes[root];
  // By component and then by (left, right), so that nothing below depends on the input order. Roots are nodes of the
  // left side, as the smallest ones of their components.
  std::vector<std::size_t> begins(lefts + 1, 0);
  for (const AssignmentEdge& edge : edges) ++begins[roots[edge.left] + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::uint32_t> order(edges.size());
  {
    std::vector<std::size_t> at(begins);
    for (const std::uint32_t index : in_order(edges)) order[at[roots[edges[index].left]]++] = index;
  }
  std::vector<std::uint8_t> is_left_used(lefts, 0);
  std::vector<std::uint8_t> is_right_used(rights, 0);
  std::vector<std::uint32_t> chosen;
  for (std::size_t root = 0; root < lefts; ++root) {
    const std::span<const std::uint32_t> component =
        std::span(order).subspan(begins[root], begins[root + 1] - begins[root]);
    if (component.empty()) continue;
    if (stop.after(StopCheck::kUnitsPerNode * component.size())) break;
    if (component.size() == 1) {
      chosen.push_back(component.front());
    } else if (nodes[root] <= kExactComponentNodes) {
      choose_exactly(edges, component, chosen);
    } else {
      choose_greedily(edges, component, is_left_used, is_right_used, chosen);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace paraprint::inline verify
