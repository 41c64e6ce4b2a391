// Tables with a header row are content or not as a whole: their cells are short lines that look like clutter each, and
// too few pages to learn from have such tables for the models to tell. What stands around a table tells more than its
// cells (docs/algorithms/extraction.md has the figures).
#pragma once

#include <cstdint>
#include <vector>

#include "extract/context_features.h"
#include "extract/page_tree.h"

namespace paraprint {

class HeaderTables {
 public:
  // Lifts the units of each innermost <table> that holds a <th> or <thead> to the mean weight of what stands around it:
  // the rest of its container, and the units before it; header tables count in neither. Never lowers a weight.
  // `weights` has one value a unit. Not thread-safe. Cost: O(elements); O(units) more on pages with such tables.
  void lift(const PageTree& tree, std::vector<BlockWeight>& weights);

 private:
  struct Mass {
    std::uint64_t tokens = 0;
    std::uint64_t content = 0;  // expected, in 1/65535 token
  };
  void find(const PageTree& tree);
  void sum_outside(const PageTree& tree, const std::vector<BlockWeight>& weights);
  Mass outside(std::size_t begin, std::size_t end) const;

  std::vector<std::uint32_t> tables_;  // elements
  std::vector<bool> in_table_;         // a unit
  std::vector<Mass> before_;           // of units outside the tables: sums before each unit, and over all
};

}  // namespace paraprint
