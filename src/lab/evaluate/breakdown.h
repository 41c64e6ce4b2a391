// The same outcomes by kind of pair, and the worst of them by name.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/evaluate/pair_outcomes.h"
#include "paraprint/evaluate.h"

namespace paraprint {

// By language of the two pages, "mixed" where they differ; sorted by name. Kinds without labelled or reported pairs are
// left out.
std::vector<GroupFigures> figures_by_language(const LabelledSet& set, const PairOutcomes& outcomes,
                                              const FoundPairs& found, double threshold);

// By edit and kind, a pair of several counting for each; sorted by name. Empty where labels name none.
std::vector<GroupFigures> figures_by_edit(const LabelledSet& set, const PairOutcomes& outcomes, double threshold);
// The same of pairs that have exactly one edit: what combinations do is not in it.
std::vector<GroupFigures> figures_by_edit_alone(const LabelledSet& set, const PairOutcomes& outcomes, double threshold);
// By the number of edits of both pages together: 1, 2, 3 or more. Pairs without an edit are left out.
std::vector<GroupFigures> figures_by_edit_count(const LabelledSet& set, const PairOutcomes& outcomes, double threshold);

struct WorstPairs {
  std::vector<ExamplePair> misses;
  std::vector<ExamplePair> false_positives;
};

// At most `count` of each. Of unlabelled pairs one is named for two groups of equal text. `id_of` names a page.
WorstPairs worst_pairs(const LabelledSet& set, const PairOutcomes& outcomes, const FoundPairs& found, double threshold,
                       std::size_t count, const std::function<std::string_view(std::uint32_t page)>& id_of);

}  // namespace paraprint
