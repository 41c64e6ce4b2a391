#include "extract/block_selection.h"

namespace paraprint {

void select_units(const PageTree& tree, const std::vector<BlockWeight>& weights, BlockSelection& selection) {
  constexpr std::uint64_t kCertain = 65535;
  selection.chosen.assign(tree.units.size(), false);
  selection.expected_f1 = 0;
  std::array<std::uint64_t, 256> tokens{};
  std::uint64_t content_of_page = 0;
  for (std::size_t i = 0; i < tree.units.size(); ++i) {
    tokens[weights[i]] += tree.units[i].text.tokens;
    content_of_page += std::uint64_t{tree.units[i].text.tokens} * kWeightProbability[weights[i]];
  }
  std::uint64_t chosen_tokens = 0;
  std::uint64_t chosen_content = 0;
  std::size_t border = tokens.size();
  for (std::size_t weight = tokens.size(); weight-- > 0;) {
    if (tokens[weight] == 0) continue;
    chosen_tokens += tokens[weight];
    chosen_content += tokens[weight] * kWeightProbability[weight];
    const auto f1 =
        static_cast<std::uint32_t>(2 * chosen_content * kCertain / (content_of_page + chosen_tokens * kCertain));
    if (border == tokens.size() || f1 > selection.expected_f1) {
      selection.expected_f1 = f1;
      border = weight;
    }
  }
  for (std::size_t i = 0; i < tree.units.size(); ++i) selection.chosen[i] = weights[i] >= border;
}

}  // namespace paraprint
