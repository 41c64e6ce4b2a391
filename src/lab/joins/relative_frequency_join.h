// All pairs of weighted sets of which one stands in the other in similar numbers: the join of the relative frequency
// model (algorithms.md 9). Exact.
//
//   similarity(A, B) = sum over close common elements of wA wB / min(|A|^2, |B|^2),   |A|^2 = sum of wA^2
//
// Of a pair the set of smaller norm, y, decides: its close common products must reach minimum * |y|^2. An element e of
// y adds at most m(e) = w(e) times the largest close weight that any set has for it. So y may leave elements out of the
// inverted lists as long as their m(e) sum to less than that; every partner still meets it in another one. Left out are
// those that cost most lookups for what they could add: frequent words of small counts. Lists are cut by weight, since
// close weights are all that a lookup reads: a word that occurs once is looked up where it occurs once.
//
// The larger set, x, looks all of its elements up and adds products, so that a pair needs only the elements left out
// to be complete, and of these only as many as it takes to tell. docs/algorithms/keywords.md has the
// proof.
//
// Cost: the postings read. A set is small beside every larger one, so nothing bounds them by size: many pages of one
// vocabulary are quadratic. `posting_cap` bounds that: of a longer list of one element and weight only the sets nearest
// in norm are read, and what is left out is counted.
#pragma once

#include <cstdint>

#include "lab/joins/set_collection.h"
#include "lab/joins/set_overlap_join.h"
#include "paraprint/result.h"

namespace paraprint {

struct RelativeFrequencyOptions {
  double closeness_limit = 2.5;     // weights a and b are close when a / b + b / a is below it; above 2
  double similarity_minimum = 0.5;  // above 0, at most 1
  std::uint32_t posting_cap = 0;    // postings read of one list for one set; 0: exact
  unsigned threads = 1;
};

struct RelativeFrequencyStatistics {
  std::uint64_t distinct_sets = 0;  // that are not empty
  std::uint64_t postings = 0;       // stored
  std::uint64_t postings_read = 0;
  std::uint64_t postings_not_read = 0;  // over the cap; 0: the answer is exact
  std::uint64_t comparisons = 0;        // pairs of which elements that were left out had to be looked at
  std::uint64_t pairs = 0;              // reported
};

// Every pair of at least the minimum is reported, none of less than the minimum * (1 - 1e-6). Sets of weight 0 are like
// nothing. Equal sets are one: called back are all equal groups first, then pairs of the groups' smallest indices, in
// an order fixed by the input.
// Errors: those of check_sets(); kInvalidArgument for an option out of range or missing weights.
// Memory: 8 bytes an element at first, then about 20 bytes a shared element, and of each thread 12 bytes a set and 4 a
// different shared element. Deterministic whatever the number of threads; callbacks come one at a time.
Result<RelativeFrequencyStatistics> relative_frequency_join(const SetCollection& sets,
                                                            const RelativeFrequencyOptions& options,
                                                            const OverlapPairCallback& on_pair,
                                                            const EqualSetsCallback& on_equal);

}  // namespace paraprint
