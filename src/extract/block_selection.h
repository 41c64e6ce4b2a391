// From weights to a choice. The measure of an extraction is F1 over tokens, so the units chosen are those that maximise
// its expected value. With weights alone the best set is always "all units at least this heavy" (Lewis 1995; Jansche
// 2007), found by trying each weight once: a clear page gets a strict border, a doubtful one a lenient border.
//
// Units of a page are not independent, though: replies are all content (a forum) or all not (comments). So the value is
// averaged over scenarios in which all log-odds of the page move up or down together (kScenarioShift each), and a long
// tail of doubtful text no longer pays merely by its size.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "extract/context_features.h"
#include "extract/page_tree.h"

namespace paraprint {

inline constexpr std::size_t kScenarioCount = 5;
inline constexpr std::array<std::uint32_t, kScenarioCount> kScenarioPercent = {6, 24, 40, 24, 6};
// Probability (in 1/65535) of each weight w in scenario s: 1 / (1 + exp(-(1.25 * log-odds(w) + 3.5 * (s - 2)))). A
// generated table.
extern const std::array<std::array<std::uint16_t, 256>, kScenarioCount> kScenarioProbability;

struct BlockSelection {
  std::vector<bool> chosen;       // one a unit
  std::uint32_t expected_f1 = 0;  // of the choice, in 1/65535
};

// Pure. Cost: O(units). A page with text gets a choice of at least one unit.
void select_units(const PageTree& tree, const std::vector<BlockWeight>& weights, BlockSelection& selection);

}  // namespace paraprint
