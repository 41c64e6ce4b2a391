// All pairs of sets that overlap enough: by Jaccard similarity, by containment of the smaller set, or, of weighted
// sets, by the cosine or the weighted Jaccard similarity. Exact.
//
// Prefix filter (Chaudhuri, Ganti, Kaushik, ICDE 2006; Bayardo, Ma, Srikant, WWW 2007): with the elements of every set
// in one order, rarest first, two sets that overlap enough share an element near the beginning of both, so inverted
// lists over the beginnings find every pair. Length and positional filter (PPJoin: Xiao, Wang, Lin, Yu, WWW 2008): a
// list is read only where sets are large enough, and a pair is compared only if what is left of both behind their
// first common element can still reach the minimum. For the cosine the norms of what is left take the place of the
// numbers (Cauchy and Schwarz), for the weighted Jaccard similarity its sum of weights. The latter is the join of
// SpotSigs (algorithms.md 34): where that cuts pages into partitions by total count and looks into neighbouring ones
// only, lists in order of the total are cut at exactly the smallest total that can match.
// docs/algorithms/shingles.md derives the bounds.
//
// Equal sets are collapsed before the join: each group of them is reported once, and pairs are reported between the
// smallest indices of their groups.
//
// Cost: the elements once, and the postings read. Where many sets are near one another but not equal (100,000 pages of
// a template with a number in it), those are quadratic, as is the answer. `posting_cap` bounds that: of a longer list
// only the sets read in last are looked at, for Jaccard and containment those nearest in size; what is left out is
// counted. Within a list each set still meets its predecessors, so such crowds stay connected.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "lab/joins/set_collection.h"
#include "paraprint/result.h"

namespace paraprint {

enum class OverlapMeasure : std::uint8_t {
  kJaccard,          // common / union
  kContainment,      // common / elements of the smaller set
  kCosine,           // of the weights
  kWeightedJaccard,  // sum of the smaller weights / sum of the larger weights
};

struct SetOverlapOptions {
  OverlapMeasure measure = OverlapMeasure::kJaccard;
  double similarity_minimum = 0.5;  // above 0, at most 1
  std::uint32_t posting_cap = 0;    // postings read of one list for one set; 0: exact
};

struct SetOverlapStatistics {
  std::uint64_t distinct_sets = 0;  // that are not empty
  std::uint64_t shared_elements = 0;
  std::uint64_t postings = 0;           // stored
  std::uint64_t postings_read = 0;      // one a set and element in common near the beginnings
  std::uint64_t postings_not_read = 0;  // over the cap; 0: the answer is exact
  std::uint64_t comparisons = 0;        // pairs that passed the filters and were compared
  std::uint64_t pairs = 0;              // reported
};

// Called with i < j, each pair once. Order: fixed by the input, not sorted.
using OverlapPairCallback = std::function<void(std::uint32_t i, std::uint32_t j)>;

// Jaccard and containment are decided as the quotient of the two counts in double precision, and so is the weighted
// Jaccard similarity, which is exact for weights that are whole numbers; of the cosine every pair
// of at least the minimum is reported and none of less than the minimum - 1e-8. Empty sets, and with weights sets of
// weight 0, are like nothing. Called back: all equal groups first, then pairs.
// Errors: those of check_sets(); kInvalidArgument for a minimum out of range or missing weights.
// Memory: 8 bytes an element at first, then about 20 bytes a shared element and 12 a set. Threads: runs in the
// caller's. Deterministic.
Result<SetOverlapStatistics> set_overlap_join(const SetCollection& sets, const SetOverlapOptions& options,
                                              const OverlapPairCallback& on_pair, const EqualSetsCallback& on_equal);

}  // namespace paraprint
