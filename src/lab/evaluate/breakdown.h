// Breaks the outcomes down by kind of pair, and lists the worst pairs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/evaluate/pair_outcomes.h"
#include "paraprint/evaluate.h"

namespace paraprint::inline lab::inline evaluation {

// By the language of both pages, "mixed" if they differ; sorted by name. Languages
// without labelled or reported pairs are omitted.
std::vector<GroupFigures> figures_by_language(const LabelledSet& set, const PairOutcomes& outcomes,
                                              const FoundPairs& found, double threshold);

// By the types of both pages, "forum+news" if they differ, in the order of the alphabet. A pair of one type and a pair
// of two never share a group. Empty if no page has a type.
std::vector<GroupFigures> figures_by_page_type(const LabelledSet& set, const PairOutcomes& outcomes,
                                               const FoundPairs& found, double threshold);

// By edit and kind; a pair with several edits counts for each. Sorted by name; empty if the labels name no edits.
std::vector<GroupFigures> figures_by_edit(const LabelledSet& set, const PairOutcomes& outcomes, double threshold);
// The same for pairs with exactly one edit, which leaves out the effect of combinations.
std::vector<GroupFigures> figures_by_edit_alone(const LabelledSet& set, const PairOutcomes& outcomes, double threshold);
// By the total number of edits of both pages: 1, 2, 3 or more. Pairs without edits are omitted.
std::vector<GroupFigures> figures_by_edit_count(const LabelledSet& set, const PairOutcomes& outcomes, double threshold);

struct WorstPairs {
  std::vector<ExamplePair> misses;
  std::vector<ExamplePair> false_positives;
};

// At most `count` of each. Two groups of equal text contribute at most one
// unlabelled pair. `id_of` returns a page's id.
WorstPairs worst_pairs(const LabelledSet& set, const PairOutcomes& outcomes, const FoundPairs& found, double threshold,
                       std::size_t count, const std::function<std::string_view(std::uint32_t page)>& id_of);

}  // namespace paraprint::inline lab::inline evaluation
