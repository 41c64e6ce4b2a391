// Raising weights to the mean of the surroundings: that mean, as a probability, is close to the measured share of such
// tables that is content, while the models' own estimate for the cells is too low.
#include "extract/header_tables.h"

#include <algorithm>

#include "html/tag_traits.h"

namespace paraprint::inline extract {

// Several header cells lead to the same table; nested tables count separately.
void HeaderTables::find(const PageTree& tree) {
  tables_.clear();
  for (const PageElement& element : tree.elements) {
    if (element.tag != LXB_TAG_TH && element.tag != LXB_TAG_THEAD) continue;
    std::uint32_t table = element.parent;
    while (table != 0 && tree.elements[table].tag != LXB_TAG_TABLE) table = tree.elements[table].parent;
    const bool is_new = tables_.empty() || tables_.back() != table;
    if (table != 0 && is_new) tables_.push_back(table);
  }
  std::sort(tables_.begin(), tables_.end());
  tables_.erase(std::unique(tables_.begin(), tables_.end()), tables_.end());
}

void HeaderTables::sum_outside(const PageTree& tree, const std::vector<BlockWeight>& weights) {
  in_table_.assign(weights.size(), false);
  for (const std::uint32_t index : tables_) {
    const PageElement& table = tree.elements[index];
    for (std::size_t i = table.unit_begin; i < table.unit_end; ++i) in_table_[i] = true;
  }
  ContentMass total;
  before_.assign(1, total);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::uint64_t tokens = in_table_[i] ? 0 : tree.units[i].text.tokens;
    total.tokens += tokens;
    total.content += tokens * kWeightProbability[weights[i]];
    before_.push_back(total);
  }
}

// Units within any header table do not count, so the cells of one table cannot vouch for another.
ContentMass HeaderTables::outside(std::size_t begin, std::size_t end) const {
  return {before_[end].tokens - before_[begin].tokens, before_[end].content - before_[begin].content};
}

void HeaderTables::lift(const PageTree& tree, std::vector<BlockWeight>& weights) {
  constexpr std::size_t kUnitsBefore = 6;  // a heading and the lines that introduce the table
  find(tree);
  if (tables_.empty()) return;
  sum_outside(tree, weights);
  for (const std::uint32_t index : tables_) {
    const PageElement& table = tree.elements[index];
    const PageElement& container = tree.elements[table.container];
    const std::size_t before = table.unit_begin - std::min<std::size_t>(table.unit_begin, kUnitsBefore);
    // Container and preceding units count equally, whatever their size.
    std::uint64_t probability = 0;
    std::uint64_t sides = 0;
    for (const ContentMass& side :
         {outside(container.unit_begin, container.unit_end), outside(before, table.unit_begin)}) {
      if (side.tokens == 0) continue;
      probability += side.content / side.tokens;
      ++sides;
    }
    if (sides == 0) continue;
    // Probabilities are ascending in the weight, so the weight is found by binary search.
    const auto heaviest = kWeightProbability.end() - 1;
    const auto place = std::lower_bound(kWeightProbability.begin(), heaviest, probability / sides);
    const auto weight = static_cast<BlockWeight>(place - kWeightProbability.begin());
    for (std::size_t i = table.unit_begin; i < table.unit_end; ++i) weights[i] = std::max(weights[i], weight);
  }
}

}  // namespace paraprint::inline extract
