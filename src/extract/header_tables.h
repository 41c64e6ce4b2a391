// A table with a header row is content or clutter as a whole. Its cells are short lines that look like clutter, and too
// few training pages contain such tables for the models to learn the difference. The text around a table is better
// evidence than its cells (measurements: docs/algorithms/extraction.md).
#pragma once

#include <cstdint>
#include <vector>

#include "extract/context_features.h"
#include "extract/page_tree.h"

namespace paraprint::inline extract {

class HeaderTables {
 public:
  // Raises the weights in each innermost <table> with a <th> or <thead> to the mean weight of its surroundings: the
  // rest of its container and the units before it, header tables excluded. Never lowers a weight. `weights` has one
  // value per unit. Not thread-safe. Cost: O(elements), plus O(units) on pages with such tables.
  void lift(const PageTree& tree, std::vector<BlockWeight>& weights);

 private:
  void find(const PageTree& tree);
  void sum_outside(const PageTree& tree, const std::vector<BlockWeight>& weights);
  ContentMass outside(std::size_t begin, std::size_t end) const;

  std::vector<std::uint32_t> tables_;  // indexes of elements
  std::vector<bool> in_table_;         // by unit
  std::vector<ContentMass> before_;    // prefix sums over the units outside the tables
};

}  // namespace paraprint::inline extract
