// Algorithms report pairs of representatives; labels are on pages. Labelled pairs are looked up one by one. The
// unlabelled pairs of a reported pair are counted by subtraction (sizes of the two groups, minus labelled pairs between
// them), because among many equal pages there may be far too many to list.
#include "lab/evaluate/pair_outcomes.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace paraprint::inline lab::inline evaluation {
namespace {

std::uint32_t representative_of(const FoundPairs& found, std::uint32_t page) {
  return found.representatives.empty() ? page : found.representatives[page];
}

// Index into found.pairs, by binary search.
std::optional<std::size_t> find_pair(const FoundPairs& found, std::uint32_t page_a, std::uint32_t page_b) {
  const std::pair wanted = std::minmax({page_a, page_b});
  const auto position = std::lower_bound(
      found.pairs.begin(), found.pairs.end(), wanted,
      [](const ScoredPagePair& pair, const auto& value) { return std::pair(pair.page_a, pair.page_b) < value; });
  if (position == found.pairs.end() || std::pair(position->page_a, position->page_b) != wanted) return std::nullopt;
  return static_cast<std::size_t>(position - found.pairs.begin());
}

OutcomeClass class_of(TruthLabel label) {
  return static_cast<OutcomeClass>(label);
}
// The first four outcome classes mirror the labels.
static_assert(static_cast<int>(OutcomeClass::kDifferent) == static_cast<int>(TruthLabel::kDifferent));

}  // namespace

std::vector<std::vector<std::uint32_t>> equal_text_groups(const FoundPairs& found, std::uint32_t pages) {
  std::vector<std::vector<std::uint32_t>> groups(pages);
  for (std::uint32_t page = 0; page < pages; ++page) groups[representative_of(found, page)].push_back(page);
  return groups;
}

float score_of(const FoundPairs& found, std::uint32_t page_a, std::uint32_t page_b) {
  const std::uint32_t a = representative_of(found, page_a);
  const std::uint32_t b = representative_of(found, page_b);
  if (a == b) return kEqualTextScore;
  const std::optional<std::size_t> index = find_pair(found, a, b);
  return index ? found.pairs[*index].score : kNotScored;
}

PairOutcomes judge_pairs(const LabelledSet& set, const FoundPairs& found) {
  PairOutcomes outcomes;
  std::vector<std::uint64_t> group_size(set.pages);
  for (std::uint32_t page = 0; page < set.pages; ++page) ++group_size[representative_of(found, page)];
  // Labelled pairs between two groups (by found pair) and within a group (by representative).
  std::vector<std::uint64_t> labelled_of_pair(found.pairs.size());
  std::vector<std::uint64_t> labelled_of_group(set.pages);
  for (const TruthPair& pair : set.pairs) {
    const std::uint32_t a = representative_of(found, pair.page_a);
    const std::uint32_t b = representative_of(found, pair.page_b);
    float score = kNotScored;
    if (a == b) {
      ++labelled_of_group[a];
      score = kEqualTextScore;
    } else if (const std::optional<std::size_t> index = find_pair(found, a, b)) {
      ++labelled_of_pair[*index];
      score = found.pairs[*index].score;
    }
    const std::uint32_t unit = set.unit_of_pair(pair.page_a, pair.page_b);
    outcomes.score_of_truth.push_back(score);
    outcomes.unit_of_truth.push_back(unit);
    // Labelled pairs that were not found are false negatives at every threshold; sweeps derive them from the totals.
    if (score != kNotScored) outcomes.scored.push_back({score, class_of(pair.label), 1, unit});
  }
  const auto add_unlabelled = [&](float score, std::uint64_t pairs, std::uint32_t page_a, std::uint32_t page_b) {
    if (pairs == 0) return;
    outcomes.scored.push_back({score, OutcomeClass::kUnlabelled, pairs, set.unit_of_pair(page_a, page_b)});
  };
  // The unit of unlabelled pairs is that of their representatives.
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    const ScoredPagePair& pair = found.pairs[i];
    add_unlabelled(pair.score, group_size[pair.page_a] * group_size[pair.page_b] - labelled_of_pair[i], pair.page_a,
                   pair.page_b);
  }
  for (std::uint32_t page = 0; page < set.pages; ++page) {
    const std::uint64_t size = group_size[page];
    if (size > 1) add_unlabelled(kEqualTextScore, size * (size - 1) / 2 - labelled_of_group[page], page, page);
  }
  // A total order, so that results do not depend on the order of the labels.
  std::sort(outcomes.scored.begin(), outcomes.scored.end(), [](const PairOutcome& x, const PairOutcome& y) {
    return std::tuple(-x.score, x.outcome, x.unit, x.weight) < std::tuple(-y.score, y.outcome, y.unit, y.weight);
  });
  return outcomes;
}

}  // namespace paraprint::inline lab::inline evaluation
