// All pairs of weighted sets of which one occurs in the other with similar weights: the join of the relative frequency
// model of SCAM (N. Shivakumar, H. Garcia-Molina 1995). Exact.
//
//   similarity(A, B) = sum over close common elements of wA wB / min(|A|^2, |B|^2),   |A|^2 = sum of wA^2
//
// The set of smaller norm, y, decides: the products of its close common elements must reach minimum * |y|^2. An element
// e of y adds at most m(e) = w(e) times the largest close weight of e in any set. So y may leave elements out of the
// inverted lists as long as their m(e) sum to less than that; every partner still meets it in another list. It leaves
// out the elements that cost the most lookups for the least gain: frequent words with small counts. Lists are split by
// weight, since a lookup reads close weights only: a word that occurs once is looked up only where it occurs once.
//
// The larger set, x, looks up all its elements and adds the products. That leaves only the elements that y left out,
// and of these only as many as are needed to decide. docs/algorithms/keywords.md has the proof.
//
// Cost: the postings read. A small set may occur in every larger one, so sizes exclude nothing and many pages with the
// same vocabulary are quadratic. `posting_cap` bounds that: of a longer list of one element and weight, only the sets
// nearest in norm are read, and the rest is counted.
#pragma once

#include <cstdint>

#include "lab/joins/set_collection.h"
#include "lab/joins/set_overlap_join.h"
#include "paraprint/result.h"

namespace paraprint::inline lab::inline joins {

struct RelativeFrequencyOptions {
  double closeness_limit = 2.5;     // above 2; weights a and b are close if a / b + b / a is less than this
  double similarity_minimum = 0.5;  // above 0, at most 1
  std::uint32_t posting_cap = 0;    // maximum number of postings read per list and set; 0: exact
  unsigned threads = 1;
};

struct RelativeFrequencyStatistics {
  std::uint64_t distinct_sets = 0;  // non-empty
  std::uint64_t postings = 0;       // stored
  std::uint64_t postings_read = 0;
  std::uint64_t postings_not_read = 0;  // above the cap; 0: the result is exact
  std::uint64_t comparisons = 0;        // pairs for which left-out elements had to be checked
  std::uint64_t pairs = 0;              // reported
};

// Reports every pair with at least the minimum similarity and none below minimum * (1 - 1e-6). Sets of total weight 0
// match nothing. Equal sets take part as one: all groups of equal sets are reported first, then pairs of their smallest
// indices, in an order that depends on the input only.
// Errors: those of check_sets(); kInvalidArgument for an option out of range or missing weights.
// Memory: first 8 bytes per element, then about 20 bytes per shared element, plus 12 bytes per set and 4 per distinct
// shared element for each thread. The result does not depend on the number of threads; callbacks are never concurrent.
Result<RelativeFrequencyStatistics> relative_frequency_join(const SetCollection& sets,
                                                            const RelativeFrequencyOptions& options,
                                                            const OverlapPairCallback& on_pair,
                                                            const EqualSetsCallback& on_equal);

}  // namespace paraprint::inline lab::inline joins
