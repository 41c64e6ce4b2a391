// From weights to a choice. The measure of an extraction is F1 over tokens, so the units chosen are those that maximise
// its expected value 2*E[content chosen] / (E[content of the page] + tokens chosen); the best set is always "all units
// at least this heavy" (Lewis 1995; Jansche 2007), found by trying each weight once. A clear page gets a strict border,
// a doubtful one a lenient border.
#pragma once

#include <cstdint>
#include <vector>

#include "extract/context_features.h"
#include "extract/page_tree.h"

namespace paraprint {

struct BlockSelection {
  std::vector<bool> chosen;       // one a unit
  std::uint32_t expected_f1 = 0;  // of the choice, in 1/65535
};

// Pure. Cost: O(units). A page with text gets a choice of at least one unit.
void select_units(const PageTree& tree, const std::vector<BlockWeight>& weights, BlockSelection& selection);

}  // namespace paraprint
