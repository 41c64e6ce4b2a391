// All pairs of sets that overlap enough: by Jaccard similarity or containment of the smaller set, or, for weighted
// sets, by cosine or weighted Jaccard similarity. Exact.
//
// Prefix filter (S. Chaudhuri, V. Ganti, R. Kaushik, ICDE 2006; R. Bayardo, Y. Ma, R. Srikant, WWW 2007): if the
// elements of all sets are in one order, rarest first, two sets that overlap enough share an element near the beginning
// of both, so inverted lists over the beginnings find every pair. Length and positional filters (PPJoin: C. Xiao, W.
// Wang, X. Lin, J. X. Yu, WWW 2008): a list is read only where its sets are large enough, and a pair is compared only
// if the elements after its first common one can still reach the minimum. For the cosine, the norms of the remaining
// elements replace their numbers (Cauchy-Schwarz); for weighted Jaccard, the sums of their weights. The latter is the
// join of SpotSigs (M. Theobald, J. Siddharth, A. Paepcke, SIGIR 2008): instead of partitioning pages by total count
// and searching adjacent partitions, lists in order of the total are cut at exactly the smallest total that can match.
// docs/algorithms/shingles.md derives the bounds.
//
// Equal sets are collapsed before the join: each group of them is reported once, and pairs are reported between the
// smallest indices of their groups.
//
// Cost: one pass over the elements, and the postings read. If many sets are similar but not equal (100,000 pages of a
// template with a number in it), postings are quadratic, as is the result. `posting_cap` bounds that: of a longer list
// only the most recently added sets are read, which for Jaccard and containment are those nearest in size; skipped
// postings are counted. Each set still meets its predecessors in a list, so such crowds stay connected.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "lab/joins/set_collection.h"
#include "paraprint/result.h"

namespace paraprint::inline lab::inline joins {

enum class OverlapMeasure : std::uint8_t {
  kJaccard,          // common / union
  kContainment,      // common / elements of the smaller set
  kCosine,           // of the weights
  kWeightedJaccard,  // sum of the smaller weights / sum of the larger weights
};

struct SetOverlapOptions {
  OverlapMeasure measure = OverlapMeasure::kJaccard;
  double similarity_minimum = 0.5;  // above 0, at most 1
  std::uint32_t posting_cap = 0;    // maximum number of postings read per list and set; 0: exact
};

struct SetOverlapStatistics {
  std::uint64_t distinct_sets = 0;  // non-empty
  std::uint64_t shared_elements = 0;
  std::uint64_t postings = 0;           // stored
  std::uint64_t postings_read = 0;      // one per common element in the prefixes of two sets
  std::uint64_t postings_not_read = 0;  // above the cap; 0: the result is exact
  std::uint64_t comparisons = 0;        // pairs that passed the filters and were compared
  std::uint64_t pairs = 0;              // reported
};

// Called with i < j, once per pair. The order depends on the input only; it is not sorted.
using OverlapPairCallback = std::function<void(std::uint32_t i, std::uint32_t j)>;

// Jaccard, containment and weighted Jaccard are decided by a quotient in double precision, which is exact for counts
// and for integer weights. For the cosine, every pair with at least the minimum is reported and none below minimum -
// 1e-8. Empty sets, and sets of total weight 0, match nothing. All groups of equal sets are reported first, then pairs.
// Errors: those of check_sets(); kInvalidArgument for a minimum out of range or missing weights.
// Memory: first 8 bytes per element, then about 20 bytes per shared element and 12 per set. Runs in the caller's
// thread. Deterministic.
Result<SetOverlapStatistics> set_overlap_join(const SetCollection& sets, const SetOverlapOptions& options,
                                              const OverlapPairCallback& on_pair, const EqualSetsCallback& on_equal);

}  // namespace paraprint::inline lab::inline joins
