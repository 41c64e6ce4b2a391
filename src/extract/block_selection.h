// Chooses units by their weights. Extraction is measured by token F1, so the units that maximise its expected value are
// chosen. If units are independent, the best set is always "all units of at least this weight" (Lewis 1995; Jansche
// 2007), which is found by trying every weight once: the threshold is strict on a clear page and lenient on a doubtful
// one.
//
// Units of a page are not independent, however: replies are either all content (a forum) or all clutter (comments). The
// expectation is therefore averaged over scenarios in which all log-odds of the page move up or down together, so that
// a long tail of doubtful text does not win merely by its size.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "extract/context_features.h"
#include "extract/page_tree.h"

namespace paraprint::inline extract {

inline constexpr std::size_t kScenarioCount = 5;
inline constexpr std::array<std::uint32_t, kScenarioCount> kScenarioPercent = {6, 24, 40, 24, 6};
// Probability (in 1/65535) of each weight w in scenario s: 1 / (1 + exp(-(1.25 * log-odds(w) + 3.5 * (s - 2)))).
// Generated.
extern const std::array<std::array<std::uint16_t, 256>, kScenarioCount> kScenarioProbability;

struct BlockSelection {
  std::vector<bool> chosen;       // by unit
  std::uint32_t expected_f1 = 0;  // of the choice, in 1/65535
};

// Thread-safe. Cost: O(units). On a page with text, at least one unit is chosen.
void select_units(const PageTree& tree, const std::vector<BlockWeight>& weights, BlockSelection& selection);

}  // namespace paraprint::inline extract
