// Groups by edit and by number of edits look at labelled pairs only: a pair without a label has no
// edits. Groups by language and page type also count unlabelled pairs, which are never listed one by one: they follow
// from the sizes of the groups of equal text.
#include "lab/evaluate/breakdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace paraprint::inline lab::inline evaluation {
namespace {

std::uint64_t& count_of(LabelCounts& counts, TruthLabel label) {
  switch (label) {
    case TruthLabel::kDuplicate:
      return counts.duplicate;
    case TruthLabel::kNear:
      return counts.near;
    case TruthLabel::kTopic:
      return counts.topic;
    case TruthLabel::kDifferent:
      break;
  }
  return counts.different;
}

// Groups without pairs would be rows of zeros.
bool has_pairs(const GroupFigures& group) {
  const LabelCounts& labels = group.labelled;
  return labels.positives() + labels.topic + labels.different + group.reported_unlabelled > 0;
}

std::vector<GroupFigures> sorted_groups(std::vector<GroupFigures> groups) {
  std::erase_if(groups, [](const GroupFigures& group) { return !has_pairs(group); });
  std::sort(groups.begin(), groups.end(), [](const GroupFigures& x, const GroupFigures& y) { return x.name < y.name; });
  return groups;
}

// Figures of the labelled pairs in groups with these names; `groups_of` maps an edit list to the indices of its groups.
template <class GroupsOf>
std::vector<GroupFigures> figures_of_groups(const LabelledSet& set, const PairOutcomes& outcomes, double threshold,
                                            const std::vector<std::string>& names, GroupsOf&& groups_of) {
  std::vector<GroupFigures> groups;
  for (const std::string& name : names) groups.push_back({name, {}, {}, 0});
  for (std::size_t i = 0; i < set.pairs.size(); ++i) {
    for (const std::uint32_t group : groups_of(set.pairs[i].edits)) {
      ++count_of(groups[group].labelled, set.pairs[i].label);
      // Scores are stored in single precision; a double threshold such as 0.7 would exclude its own float.
      if (outcomes.score_of_truth[i] >= static_cast<float>(threshold)) {
        ++count_of(groups[group].reported, set.pairs[i].label);
      }
    }
  }
  return sorted_groups(std::move(groups));
}

// An example pair: labelled, or one of several unlabelled pairs.
struct Candidate {
  std::uint32_t page_a;
  std::uint32_t page_b;
  float score;
  std::optional<std::size_t> truth;
};

std::optional<std::size_t> truth_of(const LabelledSet& set, std::uint32_t page_a, std::uint32_t page_b) {
  // Pairs are sorted by (page_a, page_b), so this is a binary search.
  const std::pair wanted = std::minmax({page_a, page_b});
  const auto found = std::lower_bound(
      set.pairs.begin(), set.pairs.end(), wanted,
      [](const TruthPair& pair, const auto& value) { return std::pair(pair.page_a, pair.page_b) < value; });
  if (found == set.pairs.end() || std::pair(found->page_a, found->page_b) != wanted) return std::nullopt;
  return static_cast<std::size_t>(found - set.pairs.begin());
}

// The first unlabelled pair between two groups of equal text, or within one.
std::optional<Candidate> unlabelled_pair(const LabelledSet& set, const std::vector<std::uint32_t>& left,
                                         const std::vector<std::uint32_t>& right, float score) {
  for (const std::uint32_t a : left) {
    for (const std::uint32_t b : right) {
      if (a != b && !truth_of(set, a, b)) return Candidate{std::min(a, b), std::max(a, b), score, std::nullopt};
    }
  }
  return std::nullopt;
}

// Wrongly reported pairs: those labelled `diff`, and in a closed world also unlabelled ones.
std::vector<Candidate> false_candidates(const LabelledSet& set, const PairOutcomes& outcomes, const FoundPairs& found,
                                        float threshold, std::size_t count) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < set.pairs.size(); ++i) {
    const bool is_wrong = set.pairs[i].label == TruthLabel::kDifferent && outcomes.score_of_truth[i] >= threshold;
    if (is_wrong) candidates.push_back({set.pairs[i].page_a, set.pairs[i].page_b, outcomes.score_of_truth[i], i});
  }
  // In an open world an unlabelled pair says nothing.
  if (!set.is_closed) return candidates;
  const std::vector<std::vector<std::uint32_t>> groups = equal_text_groups(found, set.pages);
  // At most `count` from each source: the caller shows `count` altogether, and groups can have very many pairs.
  std::size_t equal_texts = 0;
  for (std::uint32_t page = 0; page < set.pages && equal_texts < count; ++page) {
    if (groups[page].size() < 2) continue;
    if (const auto pair = unlabelled_pair(set, groups[page], groups[page], kEqualTextScore)) {
      candidates.push_back(*pair);
      ++equal_texts;
    }
  }
  std::vector<ScoredPagePair> best(found.pairs);
  std::erase_if(best, [&](const ScoredPagePair& pair) { return pair.score < threshold; });
  // Stable: pairs of equal score stay in page order, the same in every run.
  std::stable_sort(best.begin(), best.end(),
                   [](const ScoredPagePair& x, const ScoredPagePair& y) { return x.score > y.score; });
  std::size_t others = 0;
  for (std::size_t i = 0; i < best.size() && others < count; ++i) {
    if (const auto pair = unlabelled_pair(set, groups[best[i].page_a], groups[best[i].page_b], best[i].score)) {
      candidates.push_back(*pair);
      ++others;
    }
  }
  return candidates;
}

std::string edits_text(const LabelledSet& set, const Candidate& candidate) {
  std::string text;
  if (!candidate.truth) return text;
  for (const std::uint32_t edit : set.edit_lists[set.pairs[*candidate.truth].edits]) {
    text += (text.empty() ? "" : "+") + set.edit_names[edit];
  }
  return text;
}

// Figures of all reported and labelled pairs; `group_of` maps two pages to the figures of their group.
template <class GroupOf>
void count_groups_of_pages(const LabelledSet& set, const PairOutcomes& outcomes, const FoundPairs& found,
                           double threshold, GroupOf&& group_of) {
  const auto limit = static_cast<float>(threshold);
  std::vector<std::uint64_t> group_size(set.pages);
  for (std::uint32_t page = 0; page < set.pages; ++page) {
    ++group_size[found.representatives.empty() ? page : found.representatives[page]];
  }
  for (const ScoredPagePair& pair : found.pairs) {
    if (pair.score < limit) continue;
    // A reported pair of representatives reports every pair between their groups.
    group_of(pair.page_a, pair.page_b).reported_unlabelled += group_size[pair.page_a] * group_size[pair.page_b];
  }
  for (std::uint32_t page = 0; page < set.pages; ++page) {
    if (group_size[page] > 1) group_of(page, page).reported_unlabelled += group_size[page] * (group_size[page] - 1) / 2;
  }
  // All reported pairs were counted as unlabelled above, in the language of their representatives; now the labelled
  // ones are subtracted there.
  for (std::size_t i = 0; i < set.pairs.size(); ++i) {
    const TruthPair& pair = set.pairs[i];
    GroupFigures& group = group_of(pair.page_a, pair.page_b);
    ++count_of(group.labelled, pair.label);
    if (outcomes.score_of_truth[i] < limit) continue;
    ++count_of(group.reported, pair.label);
    const bool has_representatives = !found.representatives.empty();
    GroupFigures& counted =
        has_representatives ? group_of(found.representatives[pair.page_a], found.representatives[pair.page_b]) : group;
    --counted.reported_unlabelled;
  }
}

}  // namespace

std::vector<GroupFigures> figures_by_language(const LabelledSet& set, const PairOutcomes& outcomes,
                                              const FoundPairs& found, double threshold) {
  std::vector<GroupFigures> groups;
  for (const std::string& name : set.language_names) groups.push_back({name, {}, {}, 0});
  groups.push_back({"mixed", {}, {}, 0});
  const auto group_of = [&](std::uint32_t page_a, std::uint32_t page_b) -> GroupFigures& {
    // The last group is "mixed".
    const std::uint32_t language = set.language_of_page[page_a];
    return language == set.language_of_page[page_b] ? groups[language] : groups.back();
  };
  count_groups_of_pages(set, outcomes, found, threshold, group_of);
  return sorted_groups(std::move(groups));
}

std::vector<GroupFigures> figures_by_page_type(const LabelledSet& set, const PairOutcomes& outcomes,
                                               const FoundPairs& found, double threshold) {
  if (set.page_type_of_page.empty()) return {};
  // Only the pairs of types that occur: there may be as many types as pages.
  std::map<std::pair<std::uint32_t, std::uint32_t>, GroupFigures> by_types;
  count_groups_of_pages(set, outcomes, found, threshold,
                        [&](std::uint32_t page_a, std::uint32_t page_b) -> GroupFigures& {
                          const std::pair<std::uint32_t, std::uint32_t> types =
                              std::minmax(set.page_type_of_page[page_a], set.page_type_of_page[page_b]);
                          return by_types[types];
                        });
  std::vector<GroupFigures> groups;
  for (auto& [types, group] : by_types) {
    const auto& [first, second] = std::minmax(set.page_type_names[types.first], set.page_type_names[types.second]);
    group.name = types.first == types.second ? first : fmt::format("{}+{}", first, second);
    groups.push_back(std::move(group));
  }
  return sorted_groups(std::move(groups));
}

std::vector<GroupFigures> figures_by_edit(const LabelledSet& set, const PairOutcomes& outcomes, double threshold) {
  return figures_of_groups(set, outcomes, threshold, set.edit_names,
                           [&](std::uint32_t edits) { return std::span(set.edit_lists[edits]); });
}

std::vector<GroupFigures> figures_by_edit_alone(const LabelledSet& set, const PairOutcomes& outcomes,
                                                double threshold) {
  // The edit precedes the kinds in the list.
  return figures_of_groups(set, outcomes, threshold, set.edit_names, [&](std::uint32_t edits) {
    return std::span(set.edit_lists[edits]).first(set.edit_counts[edits] == 1 ? 1 : 0);
  });
}

std::vector<GroupFigures> figures_by_edit_count(const LabelledSet& set, const PairOutcomes& outcomes,
                                                double threshold) {
  static const std::vector<std::string> kNames = {"1 edit", "2 edits", "3 edits or more"};
  static constexpr std::array<std::uint32_t, 3> kGroups = {0, 1, 2};
  return figures_of_groups(set, outcomes, threshold, kNames, [&](std::uint32_t edits) {
    // 0 edits: an empty span, so the pair is in no group.
    const std::size_t count = std::min<std::size_t>(set.edit_counts[edits], kGroups.size());
    return std::span(kGroups).subspan(count == 0 ? 0 : count - 1, count == 0 ? 0 : 1);
  });
}

WorstPairs worst_pairs(const LabelledSet& set, const PairOutcomes& outcomes, const FoundPairs& found, double threshold,
                       std::size_t count, const std::function<std::string_view(std::uint32_t page)>& id_of) {
  const auto limit = static_cast<float>(threshold);
  std::vector<Candidate> misses;
  for (std::size_t i = 0; i < set.pairs.size(); ++i) {
    const bool is_missed = is_positive(set.pairs[i].label) && outcomes.score_of_truth[i] < limit;
    if (is_missed) misses.push_back({set.pairs[i].page_a, set.pairs[i].page_b, outcomes.score_of_truth[i], i});
  }
  std::vector<Candidate> wrong = false_candidates(set, outcomes, found, limit, count);
  const auto ids = [&](const Candidate& c) { return std::tuple(id_of(c.page_a), id_of(c.page_b)); };
  // Missed duplicates before missed near-duplicates, then by ascending score: the worst first. Ids break ties, so that
  // the list does not depend on the order in which pages were read.
  std::sort(misses.begin(), misses.end(), [&](const Candidate& x, const Candidate& y) {
    const auto key = [&](const Candidate& c) { return std::tuple(set.pairs[*c.truth].label, c.score, ids(c)); };
    return key(x) < key(y);
  });
  std::sort(wrong.begin(), wrong.end(), [&](const Candidate& x, const Candidate& y) {
    const auto key = [&](const Candidate& c) { return std::tuple(-c.score, ids(c)); };
    return key(x) < key(y);
  });
  const auto shown = [&](const std::vector<Candidate>& candidates) {
    std::vector<ExamplePair> examples;
    for (std::size_t i = 0; i < candidates.size() && i < count; ++i) {
      const Candidate& c = candidates[i];
      const auto [id_a, id_b] = std::minmax({id_of(c.page_a), id_of(c.page_b)});
      examples.push_back({std::string(id_a), std::string(id_b),
                          std::string(c.truth ? truth_label_name(set.pairs[*c.truth].label) : "unlabelled"),
                          std::max(0.0F, c.score), edits_text(set, c)});
    }
    return examples;
  };
  return {shown(misses), shown(wrong)};
}

}  // namespace paraprint::inline lab::inline evaluation
