// Sets are processed by ascending size. Each looks up its first elements in the lists of the sets before it, then adds
// itself. A measure is a class that join() is instantiated with: it applies the rule of its measure (overlap_rule.h) to
// the sets, and answers
//   indexed_elements(y)   how many of its first elements a set adds to the lists,
//   probed_elements(x)    how many of its first elements a set looks up,
//   is_too_small(y, x)    whether y can be ruled out by its size alone, for this x and all later ones,
//   may_match(x, y, at)   whether a pair can still reach the minimum, given its first common element,
//   matches(x, y, at)     the decision.
#include "lab/joins/set_overlap_join.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/propagate.h"
#include "index/overlap_rule.h"
#include "lab/joins/posting_lists.h"

namespace paraprint::inline lab::inline joins {
namespace {

// The positions of a common element among the shared elements of sets x and y.
struct Positions {
  std::size_t x = 0;
  std::size_t y = 0;
};

// Jaccard and containment, which count elements.
template <class Rule>
class CountMeasure {
 public:
  CountMeasure(const RankedSets& sets, std::vector<std::uint32_t> sizes, double minimum)
      : sets_(sets), sizes_(std::move(sizes)), rule_(minimum) {}

  std::size_t indexed_elements(std::size_t y) const { return elements_before(y, rule_.indexed_rest(sizes_[y])); }
  std::size_t probed_elements(std::size_t x) const { return elements_before(x, rule_.probed_rest(sizes_[x])); }
  bool is_too_small(std::size_t y, std::size_t x) const { return rule_.is_too_small(sizes_[y], sizes_[x]); }
  // Positional filter: both sets must have enough elements left from the first common one on.
  bool may_match(std::size_t x, std::size_t y, Positions at) const {
    return rule_.may_match(sizes_[x], sizes_[y], static_cast<double>(sets_.set(x).size() - at.x),
                           static_cast<double>(sets_.set(y).size() - at.y));
  }
  bool matches(std::size_t x, std::size_t y, Positions at) const {
    return rule_.matches(common(rule_.required(sizes_[x], sizes_[y]), x, y, at), sizes_[x], sizes_[y]);
  }

 private:
  // The length of the prefix after which fewer than `required` elements are left: the first common element of a pair
  // with `required` common elements must be in it.
  std::size_t elements_before(std::size_t set, std::uint32_t required) const {
    const std::size_t shared = sets_.set(set).size();
    return shared < required ? 0 : shared - required + 1;
  }

  // The number of common elements, starting at the first one; 0 as soon as `required` is out of reach.
  std::uint32_t common(std::uint32_t required, std::size_t x, std::size_t y, Positions at) const {
    const std::span<const RankedElement> set_x = sets_.set(x);
    const std::span<const RankedElement> set_y = sets_.set(y);
    std::uint32_t count = 0;
    while (at.x < set_x.size() && at.y < set_y.size()) {
      const std::uint32_t rank_x = set_x[at.x].rank;
      const std::uint32_t rank_y = set_y[at.y].rank;
      if (rank_x == rank_y) {
        ++count;
      } else if (count + std::min(set_x.size() - at.x, set_y.size() - at.y) < required) {
        return 0;
      }
      at.x += rank_x <= rank_y ? 1 : 0;
      at.y += rank_y <= rank_x ? 1 : 0;
    }
    return count;
  }

  const RankedSets& sets_;
  std::vector<std::uint32_t> sizes_;
  Rule rule_;
};

// The common part of the measures of weights. `rests` are those of the shared elements, as the rule has them.
template <class Rest>
std::size_t elements_with_rest(const RankedSets& sets, const std::vector<Rest>& rests, std::size_t set,
                               double minimum) {
  const auto begin = rests.begin() + static_cast<std::ptrdiff_t>(sets.begins[set]);
  const auto end = rests.begin() + static_cast<std::ptrdiff_t>(sets.begins[set + 1]);
  return static_cast<std::size_t>(std::partition_point(begin, end, [&](double rest) { return rest >= minimum; }) -
                                  begin);
}

class CosineMeasure {
 public:
  // `chosen[i]` is the index in `all` of set i.
  CosineMeasure(const RankedSets& sets, const SetCollection& all, std::span<const std::uint32_t> chosen, double minimum)
      : sets_(sets), rule_(minimum), rest_norms_(sets.elements.size()) {
    for (std::size_t set = 0; set < chosen.size(); ++set) {
      double square = 0;
      for (const float weight : all.weights[chosen[set]]) square += static_cast<double>(weight) * weight;
      scales_.push_back(CosineRule::scale_of(square));
      double rest = 0;
      for (std::uint64_t i = sets.begins[set + 1]; i-- > sets.begins[set];) {
        rest += static_cast<double>(sets.elements[i].weight) * sets.elements[i].weight;
        rest_norms_[i] = CosineRule::rest_norm(rest, scales_[set]);
      }
    }
  }

  std::size_t indexed_elements(std::size_t y) const {
    return scales_[y] == 0 ? 0 : elements_with_rest(sets_, rest_norms_, y, rule_.indexed_rest(1));
  }
  std::size_t probed_elements(std::size_t x) const { return indexed_elements(x); }
  bool is_too_small(std::size_t, std::size_t) const { return false; }
  bool may_match(std::size_t x, std::size_t y, Positions at) const {
    return rule_.may_match(1, 1, rest_norms_[sets_.begins[x] + at.x], rest_norms_[sets_.begins[y] + at.y]);
  }
  bool matches(std::size_t x, std::size_t y, Positions at) const {
    const std::span<const RankedElement> set_x = sets_.set(x);
    const std::span<const RankedElement> set_y = sets_.set(y);
    const double scale = scales_[x] * scales_[y];
    const double required = rule_.required(1, 1);
    double product = 0;
    while (at.x < set_x.size() && at.y < set_y.size()) {
      const std::uint32_t rank_x = set_x[at.x].rank;
      const std::uint32_t rank_y = set_y[at.y].rank;
      if (rank_x == rank_y) {
        product += static_cast<double>(set_x[at.x].weight) * set_y[at.y].weight * scale;
      } else if (product + rest_bound(x, y, at) < required) {
        return false;
      }
      at.x += rank_x <= rank_y ? 1 : 0;
      at.y += rank_y <= rank_x ? 1 : 0;
    }
    return rule_.matches(product, 1, 1);
  }

 private:
  // The maximum that the elements from these positions on can add to the cosine.
  double rest_bound(std::size_t x, std::size_t y, Positions at) const {
    return static_cast<double>(rest_norms_[sets_.begins[x] + at.x]) * rest_norms_[sets_.begins[y] + at.y];
  }

  const RankedSets& sets_;
  CosineRule rule_;
  std::vector<float> rest_norms_;
  std::vector<double> scales_;
};

class WeightedJaccardMeasure {
 public:
  WeightedJaccardMeasure(const RankedSets& sets, std::vector<double> totals, double minimum)
      : sets_(sets), totals_(std::move(totals)), rule_(minimum), rests_(sets.elements.size()) {
    for (std::size_t set = 0; set < totals_.size(); ++set) {
      double rest = 0;
      for (std::uint64_t i = sets.begins[set + 1]; i-- > sets.begins[set];) rests_[i] = rest += sets.elements[i].weight;
    }
  }

  std::size_t indexed_elements(std::size_t y) const {
    return elements_with_rest(sets_, rests_, y, rule_.indexed_rest(totals_[y]));
  }
  std::size_t probed_elements(std::size_t x) const {
    return elements_with_rest(sets_, rests_, x, rule_.probed_rest(totals_[x]));
  }
  bool is_too_small(std::size_t y, std::size_t x) const { return rule_.is_too_small(totals_[y], totals_[x]); }
  bool may_match(std::size_t x, std::size_t y, Positions at) const {
    return rule_.may_match(totals_[x], totals_[y], rests_[sets_.begins[x] + at.x], rests_[sets_.begins[y] + at.y]);
  }
  bool matches(std::size_t x, std::size_t y, Positions at) const {
    const std::span<const RankedElement> set_x = sets_.set(x);
    const std::span<const RankedElement> set_y = sets_.set(y);
    const double both_required = rule_.required(totals_[x], totals_[y]);
    double both = 0;
    while (at.x < set_x.size() && at.y < set_y.size()) {
      const std::uint32_t rank_x = set_x[at.x].rank;
      const std::uint32_t rank_y = set_y[at.y].rank;
      if (rank_x == rank_y) {
        both += std::min(set_x[at.x].weight, set_y[at.y].weight);
      } else if (both + rest_bound(x, y, at) < both_required) {
        return false;
      }
      at.x += rank_x <= rank_y ? 1 : 0;
      at.y += rank_y <= rank_x ? 1 : 0;
    }
    return rule_.matches(both, totals_[x], totals_[y]);
  }

 private:
  double rest_bound(std::size_t x, std::size_t y, Positions at) const {
    return std::min(rests_[sets_.begins[x] + at.x], rests_[sets_.begins[y] + at.y]);
  }

  const RankedSets& sets_;
  std::vector<double> totals_;
  WeightedJaccardRule rule_;
  std::vector<double> rests_;
};

// Calls report(x, y) for every pair of matching sets, y before x. Measures are template parameters so that their bounds
// are inlined into the loop over postings.
template <class Measure, class Report>
void join(const RankedSets& sets, const Measure& measure, std::uint32_t posting_cap, SetOverlapStatistics& statistics,
          Report&& report) {
  const std::size_t set_count = sets.begins.size() - 1;
  // All lists are allocated at once: how many elements each set will add is known beforehand.
  PostingLists lists(sets, [&](std::size_t set) { return measure.indexed_elements(set); });
  statistics.postings = lists.size();
  constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> last_met_by(set_count, kNobody);
  for (std::uint32_t x = 0; x < set_count; ++x) {
    const std::span<const RankedElement> elements = sets.set(x);
    const std::size_t probed = measure.probed_elements(x);
    for (std::size_t i = 0; i < probed; ++i) {
      std::span<const Posting> list =
          lists.list(elements[i].rank, [&](std::uint32_t y) { return measure.is_too_small(y, x); });
      if (posting_cap != 0 && list.size() > posting_cap) {
        statistics.postings_not_read += list.size() - posting_cap;
        list = list.last(posting_cap);
      }
      statistics.postings_read += list.size();
      for (const Posting& posting : list) {
        // Both sets are in rank order, so a pair first meets at its first common element.
        if (last_met_by[posting.set] == x) continue;
        last_met_by[posting.set] = x;
        const Positions at{i, posting.position};
        if (!measure.may_match(x, posting.set, at)) continue;
        ++statistics.comparisons;
        if (measure.matches(x, posting.set, at)) report(x, posting.set);
      }
    }
    // Added after the lookup, so that a set does not meet itself.
    const std::size_t indexed = measure.indexed_elements(x);
    for (std::uint32_t i = 0; i < indexed; ++i) lists.push(elements[i].rank, {x, i});
  }
}

struct SizedSet {
  double size = 0;
  std::uint32_t index = 0;
};

// The sets by ascending size: the sum of the weights if `of_weights`, otherwise the number of elements. Sizes count all
// elements, also those that only one set has.
std::vector<SizedSet> by_rising_size(const SetCollection& sets, std::span<const std::uint32_t> indices,
                                     bool of_weights) {
  std::vector<SizedSet> order;
  for (const std::uint32_t index : indices) {
    double size = static_cast<double>(sets.values[index].size());
    if (of_weights) size = std::accumulate(sets.weights[index].begin(), sets.weights[index].end(), 0.0);
    order.push_back({size, index});
  }
  std::stable_sort(order.begin(), order.end(), [](const SizedSet& a, const SizedSet& b) { return a.size < b.size; });
  return order;
}

}  // namespace

Result<SetOverlapStatistics> set_overlap_join(const SetCollection& sets, const SetOverlapOptions& options,
                                              const OverlapPairCallback& on_pair, const EqualSetsCallback& on_equal) {
  const double minimum = options.similarity_minimum;
  PARAPRINT_TRY(check_overlap_minimum(minimum));
  const bool is_weighted =
      options.measure == OverlapMeasure::kCosine || options.measure == OverlapMeasure::kWeightedJaccard;
  if (is_weighted && sets.weights.size() != sets.values.size()) {
    return failure(ErrorCode::kInvalidArgument, "cosine and weighted Jaccard similarity require weights");
  }
  // Jaccard and containment ignore weights: sets with equal elements are equal.
  const SetCollection compared{sets.values, is_weighted ? sets.weights : std::span<const std::span<const float>>{}};
  PARAPRINT_TRY(check_sets(compared));

  const bool has_totals = options.measure == OverlapMeasure::kWeightedJaccard;
  const std::vector<SizedSet> order = by_rising_size(compared, distinct_sets(compared, on_equal), has_totals);
  std::vector<std::uint32_t> chosen;
  std::vector<double> totals;
  for (const SizedSet& set : order) {
    chosen.push_back(set.index);
    totals.push_back(set.size);
  }
  PARAPRINT_ASSIGN(RankedSets ranked, rank_elements(compared, chosen));

  SetOverlapStatistics statistics;
  statistics.distinct_sets = chosen.size();
  statistics.shared_elements = ranked.rank_count;
  // Back from the order of sizes to indices of the input.
  const auto report = [&](std::uint32_t x, std::uint32_t y) {
    ++statistics.pairs;
    on_pair(std::min(chosen[x], chosen[y]), std::max(chosen[x], chosen[y]));
  };
  const auto join_by = [&](const auto& measure) { join(ranked, measure, options.posting_cap, statistics, report); };
  const std::vector<std::uint32_t> sizes(totals.begin(), totals.end());
  switch (options.measure) {
    case OverlapMeasure::kJaccard:
      join_by(CountMeasure<JaccardRule>(ranked, sizes, minimum));
      break;
    case OverlapMeasure::kContainment:
      join_by(CountMeasure<ContainmentRule>(ranked, sizes, minimum));
      break;
    case OverlapMeasure::kCosine:
      join_by(CosineMeasure(ranked, compared, chosen, minimum));
      break;
    case OverlapMeasure::kWeightedJaccard:
      join_by(WeightedJaccardMeasure(ranked, std::move(totals), minimum));
      break;
  }
  return statistics;
}

}  // namespace paraprint::inline lab::inline joins
