// One pass collects tokens per weight; the thresholds are then tried from the heaviest weight down with running sums,
// so the cost does not depend on the number of thresholds. All arithmetic is in integers, for equal results everywhere.
#include "extract/block_selection.h"

namespace paraprint::inline extract {

void select_units(const PageTree& tree, const std::vector<BlockWeight>& weights, BlockSelection& selection) {
  constexpr std::uint64_t kAllPercent = 100;
  selection.chosen.assign(tree.units.size(), false);
  selection.expected_f1 = 0;
  std::array<std::uint64_t, 256> tokens{};
  for (std::size_t i = 0; i < tree.units.size(); ++i) tokens[weights[i]] += tree.units[i].text.tokens;
  std::array<std::uint64_t, kScenarioCount> content_of_page{};
  for (std::size_t s = 0; s < kScenarioCount; ++s) {
    for (std::size_t weight = 0; weight < tokens.size(); ++weight) {
      content_of_page[s] += tokens[weight] * kScenarioProbability[s][weight];
    }
  }
  std::uint64_t chosen_tokens = 0;
  std::array<std::uint64_t, kScenarioCount> chosen_content{};
  // No threshold yet: the first non-empty weight is always accepted, so that something is chosen.
  std::size_t border = tokens.size();
  for (std::size_t weight = tokens.size(); weight-- > 0;) {
    if (tokens[weight] == 0) continue;
    chosen_tokens += tokens[weight];
    std::uint64_t f1 = 0;
    for (std::size_t s = 0; s < kScenarioCount; ++s) {
      chosen_content[s] += tokens[weight] * kScenarioProbability[s][weight];
      // F1 = 2 * true positives / (relevant + chosen), with expected values for the unknown ones.
      f1 += kScenarioPercent[s] * (2 * chosen_content[s] * kCertain / (content_of_page[s] + chosen_tokens * kCertain));
    }
    f1 /= kAllPercent;
    if (border == tokens.size() || f1 > selection.expected_f1) {
      selection.expected_f1 = static_cast<std::uint32_t>(f1);
      border = weight;
    }
  }
  for (std::size_t i = 0; i < tree.units.size(); ++i) selection.chosen[i] = weights[i] >= border;
}

}  // namespace paraprint::inline extract
