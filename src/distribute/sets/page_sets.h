// The sets by which a page-level algorithm with a SetOverlapPlan finds pages, and what a join of them that is divided
// among tasks needs to know of one set or one pair: size, order of the elements, rests, and the decision. Bounds and
// decisions are those of the join in one process (index/overlap_rule.h).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "distribute/sets/set_records.h"
#include "fingerprint/page_fingerprinter.h"
#include "index/overlap_rule.h"
#include "paraprint/model.h"
#include "paraprint/page_fingerprint.h"
#include "paraprint/result.h"

namespace paraprint::distribute::sets {

// Views of a fingerprint, which must outlive them. Values ascend; there are weights only if the measure uses them.
struct PageSet {
  std::span<const std::uint64_t> values;
  std::span<const float> weights;

  float weight(std::size_t index) const { return weights.empty() ? 1 : weights[index]; }
};

// An element that two or more different sets of the run have. The rarest ones come first, as ranks do in one process.
struct SharedElement {
  std::uint32_t frequency = 0;  // number of different sets that have it
  std::uint64_t value = 0;
  float weight = 0;
  friend auto operator<=>(const SharedElement&, const SharedElement&) = default;
};

// Thread-safe.
class PageSets {
 public:
  explicit PageSets(const SetOverlapPlan& plan);

  // The set of a page; of one that is not usable, the empty set. kCorruptData for a fingerprint without sound values.
  Result<PageSet> set_of(const PageFingerprint& fingerprint) const;

  // The same for equal sets, and different for all others: BLAKE2b.
  static Fingerprint128 hash_of(const PageSet& set);
  // As the rule has it: the number of elements, or the sum of their weights.
  double size_of(const PageSet& set) const;

  // Replaces `rests` by those of the shared elements of a set, which are in their order.
  void find_rests(const PageSet& set, std::span<const SharedElement> shared, std::vector<double>& rests) const;

  // Whether two sets overlap enough. O(elements).
  bool matches(const PageSet& a, const PageSet& b) const;
  // The same, if only some elements of `a` count: what a join in one process decides when it did not read the elements
  // before these, because too many sets have them. O(elements of `from_a` times log elements of b).
  bool matches_from(std::span<const SharedElement> from_a, const PageSet& a, const PageSet& b) const;

  // Calls visit(rule) with the rule of the measure, and returns its result.
  template <class Visit>
  auto with_rule(Visit&& visit) const {
    return std::visit(std::forward<Visit>(visit), rule_);
  }

 private:
  bool is_weighted() const { return measure_ == SetMeasure::kCosine || measure_ == SetMeasure::kWeightedJaccard; }
  bool counts_match(const PageSet& a, const PageSet& b) const;
  double common_part(float weight_a, float weight_b) const;
  bool decides(double common, const PageSet& a, const PageSet& b) const;

  SetMeasure measure_;
  std::uint32_t leading_values_;
  std::variant<JaccardRule, ContainmentRule, CosineRule, WeightedJaccardRule> rule_;
};

// Replaces `shared` by the elements of a set that other sets have, in their order. kCorruptData unless these are
// elements of the set, ascending.
Status order_shared(const PageSet& set, std::span<const ValueFrequency> frequencies,
                    std::vector<SharedElement>& shared);

}  // namespace paraprint::distribute::sets
