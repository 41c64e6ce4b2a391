// 95 % confidence intervals: how far a figure may be off because the labels are a sample.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/evaluate/pairwise_figures.h"
#include "paraprint/evaluate.h"

namespace paraprint::inline lab::inline evaluation {

// Interval of a share (Wilson 1927). Sensible at 0 and 1, where resampling gives intervals of zero width. Treats trials
// as independent. {0, 1} without trials.
Interval wilson_interval(std::uint64_t successes, std::uint64_t trials);
// The same of a share that was estimated from trials of different weights: `trials` is how many of equal weight say as
// much (Kish 1965).
Interval wilson_interval_of_share(double share, double trials);

// How often a unit counts in a round of the bootstrap: a draw from the Poisson distribution with mean 1 that depends on
// nothing but these three. `unit` may be a number or a hash.
std::uint64_t bootstrap_weight(std::uint64_t seed, std::uint32_t round, std::uint64_t unit);

// The middle 95 % of the values, which are sorted; {0, 0} without values.
Interval middle_of(std::vector<double>& values);

struct F1Intervals {
  Interval lenient;
  Interval strict;
};

// Percentiles of F1 over `rounds` resamplings of the units (pages linked by labels): a bootstrap (Efron 1979) in which
// each unit counts Poisson(1) times with all its pairs. The draws depend only on seed, round and unit, so all
// algorithms on a set are judged on the same samples. O(rounds * units with pairs).
F1Intervals bootstrap_f1(const LabelledSet& set, const PairOutcomes& outcomes, double threshold, PairPart part,
                         std::uint64_t seed, std::uint32_t rounds);

}  // namespace paraprint::inline lab::inline evaluation
