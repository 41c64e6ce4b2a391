// How far a figure could be off because the labels are a sample: 95 % confidence intervals.
#pragma once

#include <cstdint>

#include "lab/evaluate/pairwise_figures.h"
#include "paraprint/evaluate.h"

namespace paraprint {

// Of a share, by Wilson (1927): sensible at 0 and 1, where resampling gives intervals of no width. Takes the trials for
// independent. {0, 1} without trials.
Interval wilson_interval(std::uint64_t successes, std::uint64_t trials);

struct F1Intervals {
  Interval lenient;
  Interval strict;
};

// Percentiles of F1 over `rounds` resamplings of the units (pages linked by labels), each unit taken Poisson(1) times
// with all its pairs, as in the bootstrap of Efron in its Poisson form. The draws depend on seed, round and unit alone:
// algorithms on one set meet the same samples. O(rounds * units with pairs).
F1Intervals bootstrap_f1(const LabelledSet& set, const PairOutcomes& outcomes, double threshold, PairPart part,
                         std::uint64_t seed, std::uint32_t rounds);

}  // namespace paraprint
