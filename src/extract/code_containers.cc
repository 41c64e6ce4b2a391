// The choice by weights maximises the expected F1 of each page by itself. A whole container costs little of it where
// the weights are undecided, and gains what no single page shows: the next version of the page, in which other weights
// differ, gives the same text. On news and blogs the container of the article is not content as a whole, hence the
// condition. The constants were chosen on cross-validated weights of the labelled pages and on one half of a collection
// of documentation (docs/measurements/extraction.md).
#include "extract/code_containers.h"

#include <algorithm>

#include "html/tag_traits.h"

namespace paraprint::inline extract {
namespace {

constexpr std::size_t kCodeElements = 2;
// A container is taken if its expected F1 is at least this share of that of the best choice.
constexpr std::uint64_t kSharePercent = 80;
constexpr std::uint64_t kAllPercent = 100;

bool is_code_element(const PageElement& element) {
  return (element.tag == LXB_TAG_PRE || element.tag == LXB_TAG_DT) && element.unit_begin < element.unit_end;
}

bool has_letters(const TextUnit& unit) {
  return unit.text.tokens > unit.text.digit_tokens;
}

}  // namespace

void CodeContainers::complete(const PageTree& tree, const std::vector<BlockWeight>& weights,
                              BlockSelection& selection) {
  if ((tree.hints & (PageHints{1} << kHintForum)) != 0) return;
  const auto on_page = std::count_if(tree.elements.begin(), tree.elements.end(), is_code_element);
  if (static_cast<std::size_t>(on_page) < kCodeElements) return;
  sum(tree, weights);
  // Of equal elements the innermost is taken, as it comes last.
  const PageElement* best = nullptr;
  std::uint64_t best_f1 = 0;
  for (const PageElement& element : tree.elements) {
    const std::uint64_t f1 = expected_f1(element);
    if (f1 < best_f1) continue;
    best = &element;
    best_f1 = f1;
  }
  if (best == nullptr || best_f1 * kAllPercent < selection.expected_f1 * kSharePercent) return;
  const auto inside = std::count_if(tree.elements.begin(), tree.elements.end(), [&](const PageElement& element) {
    return is_code_element(element) && element.unit_begin >= best->unit_begin && element.unit_end <= best->unit_end;
  });
  if (static_cast<std::size_t>(inside) < kCodeElements) return;
  for (std::size_t i = best->unit_begin; i < best->unit_end; ++i) {
    if (has_letters(tree.units[i])) selection.chosen[i] = true;
  }
}

void CodeContainers::sum(const PageTree& tree, const std::vector<BlockWeight>& weights) {
  Mass total;
  before_.assign(1, total);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::uint64_t tokens = tree.units[i].text.tokens;
    total.tokens += tokens;
    for (std::size_t s = 0; s < kScenarioCount; ++s) total.content[s] += tokens * kScenarioProbability[s][weights[i]];
    before_.push_back(total);
  }
}

// As in block_selection.cc, with all units of the element chosen.
std::uint64_t CodeContainers::expected_f1(const PageElement& element) const {
  const Mass& begin = before_[element.unit_begin];
  const Mass& end = before_[element.unit_end];
  const std::uint64_t tokens = end.tokens - begin.tokens;
  if (tokens == 0) return 0;
  std::uint64_t f1 = 0;
  for (std::size_t s = 0; s < kScenarioCount; ++s) {
    const std::uint64_t content = end.content[s] - begin.content[s];
    f1 += kScenarioPercent[s] * (2 * content * kCertain / (before_.back().content[s] + tokens * kCertain));
  }
  return f1 / kAllPercent;
}

}  // namespace paraprint::inline extract
