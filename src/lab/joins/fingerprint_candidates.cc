// Runs the index that a page-level algorithm asks for, and passes its pairs on. Pages that an index cannot distinguish
// form groups; large groups are paired sparsely, because one template must not make a run quadratic.
#include "lab/joins/fingerprint_candidates.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "base/assert.h"
#include "base/propagate.h"
#include "index/group_product.h"
#include "index/hamming_join.h"
#include "index/overlap_rule.h"
#include "lab/joins/hamming_tables_join.h"
#include "lab/joins/prefix_forest.h"
#include "lab/joins/relative_frequency_join.h"
#include "lab/joins/set_overlap_join.h"

namespace paraprint::inline lab::inline joins {
namespace {

// Shares of the memory limit: keys drain while pairs fill.
constexpr std::uint64_t kKeyShare = 2;
constexpr std::uint64_t kPairShare = 2;

// Gathers pairs of pages from one index after the other, and gives them back once each, in order.
class PairGatherer {
 public:
  PairGatherer(const FingerprintCandidateOptions& options, Counters& counters)
      : options_(options),
        counters_(counters),
        pairs_({options.spill.memory_bytes / kPairShare, options.spill.folder}) {}

  Status add_pair(std::uint32_t page_a, std::uint32_t page_b) {
    return pairs_.push({std::min(page_a, page_b), std::max(page_a, page_b), 0, 1, 0});
  }

  // All pairs of a group of pages that the index cannot distinguish, fewer above the cap.
  Status add_group(std::span<const std::uint32_t> pages) {
    Status status;
    const std::uint64_t size = pages.size();
    const std::uint64_t generated =
        for_each_group_pair(pages.size(), options_.caps, [&](std::size_t first, std::size_t second) {
          if (status) status = add_pair(pages[first], pages[second]);
        });
    count_left_out(size * (size - 1) / 2 - generated);
    return status;
  }

  // All pairs between two such groups, fewer above the cap.
  Status add_product(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right) {
    std::uint64_t left_out = 0;
    PARAPRINT_TRY(push_product_pairs(left, right, options_.caps, pairs_, left_out));
    count_left_out(left_out);
    return {};
  }

  // Pages by key, the pages of one key a group.
  Status add_keys(PageKeySorter& keys) {
    PARAPRINT_TRY(keys.finish());
    KeyJoinStatistics statistics;
    PARAPRINT_TRY(join_keys(keys, options_.caps, pairs_, statistics));
    count(counters_, "key_groups", statistics.groups);
    count(counters_, "key_groups_over_cap", statistics.groups_over_cap);
    count_left_out(statistics.pairs_not_generated);
    return {};
  }

  Status drain(std::uint32_t hits_minimum,
               const std::function<Status(std::uint32_t page_a, std::uint32_t page_b)>& visit) {
    PARAPRINT_TRY(pairs_.finish());
    CandidatePair pair;
    std::uint64_t visited = 0;
    while (pairs_.next(pair)) {
      if (pair.hits < hits_minimum) continue;
      ++visited;
      PARAPRINT_TRY(visit(pair.page_a, pair.page_b));
    }
    count(counters_, "candidate_pairs", visited);
    return pairs_.status();
  }

 private:
  void count_left_out(std::uint64_t pairs) { count(counters_, "pairs_not_generated", pairs); }

  const FingerprintCandidateOptions& options_;
  Counters& counters_;
  CandidatePairSorter pairs_;
};

struct Search {
  const PageFingerprinter& fingerprinter;
  std::span<const PageFingerprint> fingerprints;
  const FingerprintCandidateOptions& options;
  std::vector<std::uint32_t> usable;  // pages
  PairGatherer& pairs;
  Counters& counters;
};

PageKeySorter make_key_sorter(const FingerprintCandidateOptions& options) {
  return PageKeySorter({options.spill.memory_bytes / kKeyShare, options.spill.folder});
}

Status search_index(Search& search, const EqualKeysPlan& plan) {
  PageKeySorter sorter = make_key_sorter(search.options);
  std::vector<std::uint64_t> keys;
  std::uint64_t total = 0;
  for (const std::uint32_t page : search.usable) {
    keys.clear();
    search.fingerprinter.index_keys(search.fingerprints[page], plan, keys);
    total += keys.size();
    for (const std::uint64_t key : keys) {
      PARAPRINT_TRY(sorter.push({key, page, 0, 0}));
    }
  }
  count(search.counters, "keys", total);
  return search.pairs.add_keys(sorter);
}

// Indexes collapse equal fingerprints: they report each group of them once, then pairs of the groups' first pages.
// Here both become pairs of pages again.
class EqualGroups {
 public:
  // What an index numbers are usable pages.
  explicit EqualGroups(Search& search) : EqualGroups(search, search.usable) {}
  // They are `pages`: a page may come several times in a row.
  EqualGroups(Search& search, std::span<const std::uint32_t> pages)
      : search_(search), page_of_(pages), group_of_(pages.size()) {}

  void add_group(std::span<const std::uint32_t> indices) {
    std::vector<std::uint32_t>& pages = group_of_[indices.front()];
    for (const std::uint32_t index : indices) {
      if (pages.empty() || pages.back() != page_of_[index]) pages.push_back(page_of_[index]);
    }
    if (status_) status_ = search_.pairs.add_group(pages);
  }

  void add_pair(std::uint32_t i, std::uint32_t j) {
    if (status_) status_ = search_.pairs.add_product(pages_of(i), pages_of(j));
  }

  const Status& status() const { return status_; }

 private:
  std::span<const std::uint32_t> pages_of(std::uint32_t index) const {
    return group_of_[index].empty() ? page_of_.subspan(index, 1) : std::span<const std::uint32_t>(group_of_[index]);
  }

  Search& search_;
  std::span<const std::uint32_t> page_of_;
  std::vector<std::vector<std::uint32_t>> group_of_;  // by first index; empty: alone
  Status status_;
};

// Fingerprints within some bits.
template <class Fingerprint, class Read, class Join>
Status search_hamming(Search& search, const HammingPlan& plan, Read&& read, Join&& join) {
  std::vector<Fingerprint> values;
  values.reserve(search.usable.size());
  for (const std::uint32_t page : search.usable) values.push_back(read(search.fingerprints[page].values));
  EqualGroups groups(search);
  const auto on_pair = [&](std::uint32_t i, std::uint32_t j, int) { groups.add_pair(i, j); };
  const auto on_equal = [&](std::span<const std::uint32_t> indices) { groups.add_group(indices); };
  const std::span<const Fingerprint> fingerprints(values);
  if (!plan.table_blocks.empty()) {
    const HammingDesign design{plan.distance_bits, plan.table_blocks};
    const auto form = plan.compresses_tables ? HammingTableForm::kCompressed : HammingTableForm::kSorted;
    PARAPRINT_ASSIGN(HammingTablesJoinStatistics joined,
                     join_by_hamming_tables(fingerprints, design, form, on_pair, on_equal));
    count(search.counters, "hamming_tables", joined.tables);
    count(search.counters, "hamming_table_bytes", joined.table_bytes);
    count(search.counters, "hamming_comparisons", joined.comparisons);
    return groups.status();
  }
  HammingJoinOptions options;
  options.distance_bits = plan.distance_bits;
  PARAPRINT_ASSIGN(HammingJoinStatistics joined, join(fingerprints, options, on_pair, on_equal));
  count(search.counters, "hamming_comparisons", joined.comparisons);
  return groups.status();
}

Status search_index(Search& search, const HammingPlan& plan) {
  if (plan.width_bits == 64) {
    return search_hamming<std::uint64_t>(
        search, plan, [](const std::vector<std::uint64_t>& values) { return values[0]; }, hamming_join_64);
  }
  PARAPRINT_ASSERT(plan.width_bits == 128);
  return search_hamming<Fingerprint128>(
      search, plan,
      [](const std::vector<std::uint64_t>& values) {
        return Fingerprint128{values[0], values[1]};
      },
      hamming_join_128);
}

// Pages of which some fingerprints are within some bits.
Status search_index(Search& search, const HammingAnyPlan& plan) {
  std::vector<Fingerprint128> values;
  std::vector<std::uint32_t> page_of;
  for (const std::uint32_t page : search.usable) {
    search.fingerprinter.index_fingerprints(search.fingerprints[page], values);
    page_of.resize(values.size(), page);
  }
  EqualGroups groups(search, page_of);
  HammingJoinOptions options;
  options.distance_bits = plan.distance_bits;
  PARAPRINT_ASSIGN(HammingJoinStatistics joined,
                   hamming_join_128(
                       values, options, [&](std::uint32_t i, std::uint32_t j, int) { groups.add_pair(i, j); },
                       [&](std::span<const std::uint32_t> indices) { groups.add_group(indices); }));
  count(search.counters, "hamming_comparisons", joined.comparisons);
  return groups.status();
}

// The fingerprints of the usable pages as sets.
struct SetViews {
  std::vector<std::span<const std::uint64_t>> values;
  std::vector<std::span<const float>> weights;  // none unless asked for

  // `leading_values`: 0 for all.
  SetViews(const Search& search, bool with_weights, std::uint32_t leading_values = 0) {
    for (const std::uint32_t page : search.usable) {
      const PageFingerprint& fingerprint = search.fingerprints[page];
      const std::size_t limit = leading_values == 0 ? fingerprint.values.size() : leading_values;
      values.push_back(std::span(fingerprint.values).first(std::min(limit, fingerprint.values.size())));
      if (with_weights) weights.emplace_back(fingerprint.weights);
    }
  }
  SetCollection collection() const { return {values, weights}; }
};

OverlapMeasure overlap_measure(SetMeasure measure) {
  switch (measure) {
    case SetMeasure::kJaccard:
      return OverlapMeasure::kJaccard;
    case SetMeasure::kContainment:
      return OverlapMeasure::kContainment;
    case SetMeasure::kCosine:
      return OverlapMeasure::kCosine;
    case SetMeasure::kWeightedJaccard:
      return OverlapMeasure::kWeightedJaccard;
  }
  PARAPRINT_ASSERT(false);
  return OverlapMeasure::kJaccard;
}

// Of either join of sets.
template <typename Statistics>
void count_postings(Counters& counters, const Statistics& joined) {
  count(counters, "postings_read", joined.postings_read);
  count(counters, "postings_not_read", joined.postings_not_read);
  count(counters, "set_comparisons", joined.comparisons);
}

Status search_index(Search& search, const SetOverlapPlan& plan) {
  const bool with_weights = plan.measure == SetMeasure::kCosine || plan.measure == SetMeasure::kWeightedJaccard;
  const SetViews views(search, with_weights, plan.leading_values);
  SetOverlapOptions options;
  options.measure = overlap_measure(plan.measure);
  options.similarity_minimum = plan.similarity_minimum;
  options.posting_cap = kPostingCap;
  EqualGroups groups(search);
  PARAPRINT_ASSIGN(SetOverlapStatistics joined,
                   set_overlap_join(
                       views.collection(), options, [&](std::uint32_t i, std::uint32_t j) { groups.add_pair(i, j); },
                       [&](std::span<const std::uint32_t> indices) { groups.add_group(indices); }));
  count_postings(search.counters, joined);
  return groups.status();
}

Status search_index(Search& search, const RelativeFrequencyPlan& plan) {
  const SetViews views(search, true);
  RelativeFrequencyOptions options;
  options.closeness_limit = plan.closeness_limit;
  options.similarity_minimum = plan.similarity_minimum;
  options.posting_cap = kPostingCap;
  options.threads = search.options.threads;
  EqualGroups groups(search);
  PARAPRINT_ASSIGN(RelativeFrequencyStatistics joined,
                   relative_frequency_join(
                       views.collection(), options, [&](std::uint32_t i, std::uint32_t j) { groups.add_pair(i, j); },
                       [&](std::span<const std::uint32_t> indices) { groups.add_group(indices); }));
  count_postings(search.counters, joined);
  return groups.status();
}

Status search_index(Search& search, const PrefixForestPlan& plan) {
  const SetViews views(search, false);
  PrefixForestOptions options;
  options.trees = plan.trees;
  options.neighbours = plan.neighbours;
  EqualGroups groups(search);
  PARAPRINT_ASSIGN(PrefixForestStatistics joined,
                   join_prefix_forest(
                       views.values, options, [&](std::uint32_t i, std::uint32_t j) { groups.add_pair(i, j); },
                       [&](std::span<const std::uint32_t> indices) { groups.add_group(indices); }));
  count(search.counters, "forest_leaves_read", joined.leaves_read);
  count(search.counters, "forest_searches_cut", joined.searches_cut);
  count(search.counters, "forest_comparisons", joined.comparisons);
  return groups.status();
}

Status search_short_pages(std::span<const PageFingerprint> fingerprints, std::span<const std::uint32_t> pages,
                          const FingerprintCandidateOptions& options, PairGatherer& pairs) {
  PageKeySorter sorter = make_key_sorter(options);
  for (const std::uint32_t page : pages) {
    PARAPRINT_TRY(sorter.push({fingerprints[page].text_hash[0], page, 0, 0}));
  }
  return pairs.add_keys(sorter);
}

}  // namespace

Status find_fingerprint_candidates(const PageFingerprinter& fingerprinter,
                                   std::span<const PageFingerprint> fingerprints,
                                   std::span<const std::uint8_t> is_left_out,
                                   const FingerprintCandidateOptions& options, Counters& counters,
                                   const std::function<Status(std::uint32_t page_a, std::uint32_t page_b)>& visit) {
  PARAPRINT_ASSERT(is_left_out.empty() || is_left_out.size() == fingerprints.size());
  PairGatherer pairs(options, counters);
  Search search{fingerprinter, fingerprints, options, {}, pairs, counters};
  std::vector<std::uint32_t> short_pages;
  for (std::uint32_t page = 0; page < fingerprints.size(); ++page) {
    if (!is_left_out.empty() && is_left_out[page] != 0) continue;
    if (fingerprints[page].state == FingerprintState::kUsable) search.usable.push_back(page);
    if (fingerprints[page].state == FingerprintState::kShort) short_pages.push_back(page);
  }
  count(counters, "pages_usable", search.usable.size());
  count(counters, "pages_short", short_pages.size());
  const IndexPlan plan = fingerprinter.index_plan(options.resemblance_minimum);
  PARAPRINT_TRY(std::visit([&](const auto& index) { return search_index(search, index); }, plan));
  const auto* const by_keys = std::get_if<EqualKeysPlan>(&plan);
  PARAPRINT_TRY(pairs.drain(by_keys != nullptr ? by_keys->common_keys_minimum : 1, visit));
  PairGatherer short_pairs(options, counters);
  PARAPRINT_TRY(search_short_pages(fingerprints, short_pages, options, short_pairs));
  return short_pairs.drain(1, visit);
}

}  // namespace paraprint::inline lab::inline joins
