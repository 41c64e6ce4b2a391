// Pairs of one unit share pages, so they are not independent, and intervals that resample pairs would be too narrow.
// The bootstrap therefore resamples units. Poisson weights instead of drawing n of n units let each unit's weight be
// computed from a hash of (seed, round, unit), without a shared random generator or a copy of the data.
#include "lab/evaluate/intervals.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/hash.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

constexpr double kNormalQuantile = 1.959963984540054;  // 97.5 % quantile of the normal distribution
constexpr double kLowPercentile = 0.025;
constexpr double kHighPercentile = 0.975;

// The pairs of a unit, by their contribution to the figures.
struct UnitCounts {
  std::uint32_t unit = 0;
  std::uint64_t positives = 0;
  std::uint64_t found = 0;
  std::uint64_t wrong = 0;
  std::uint64_t topic = 0;
};

std::vector<UnitCounts> count_by_unit(const LabelledSet& set, const PairOutcomes& outcomes, double threshold,
                                      PairPart part) {
  std::vector<UnitCounts> all(set.units);
  for (std::uint32_t unit = 0; unit < set.units; ++unit) all[unit].unit = unit;
  for (std::size_t i = 0; i < set.pairs.size(); ++i) {
    if (is_positive(set.pairs[i].label)) ++all[outcomes.unit_of_truth[i]].positives;
  }
  for (const PairOutcome& outcome : outcomes.scored) {
    // Outcomes are sorted by descending score.
    if (outcome.score < static_cast<float>(threshold)) break;
    UnitCounts& counts = all[outcome.unit];
    if (outcome.outcome <= OutcomeClass::kNear) counts.found += outcome.weight;
    if (outcome.outcome == OutcomeClass::kTopic) counts.topic += outcome.weight;
    const bool is_wrong =
        outcome.outcome == OutcomeClass::kDifferent || (outcome.outcome == OutcomeClass::kUnlabelled && set.is_closed);
    if (is_wrong) counts.wrong += outcome.weight;
  }
  // Units that add nothing cost time in every round.
  std::erase_if(all, [&](const UnitCounts& counts) {
    const bool is_empty = counts.positives == 0 && counts.wrong == 0 && counts.topic == 0;
    return is_empty || !is_in_part(set, part, counts.unit);
  });
  return all;
}

// A draw from the Poisson distribution with mean 1, by inversion; at most kValueMaximum steps.
std::uint64_t poisson_of(std::uint64_t random) {
  const double uniform = static_cast<double>(random >> 11) * 0x1p-53;
  double probability = std::exp(-1.0);
  double cumulated = probability;
  std::uint64_t value = 0;
  constexpr std::uint64_t kValueMaximum = 18;  // P(more) < 2^-53
  while (uniform >= cumulated && value < kValueMaximum) {
    ++value;
    probability /= static_cast<double>(value);
    cumulated += probability;
  }
  return value;
}

// One stream per round; each unit takes its own draw from it, whatever other units take part.
std::uint64_t stream_of(std::uint64_t seed, std::uint32_t round) {
  return mix64(mix64(seed + 1) + round);
}

std::uint64_t weight_in_stream(std::uint64_t stream, std::uint64_t unit) {
  return poisson_of(mix64(stream ^ mix64(unit + 1)));
}

}  // namespace

std::uint64_t bootstrap_weight(std::uint64_t seed, std::uint32_t round, std::uint64_t unit) {
  return weight_in_stream(stream_of(seed, round), unit);
}

Interval middle_of(std::vector<double>& values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  // The nearest rank, not interpolated: with 1,000 rounds the difference is far below the interval's width.
  const auto at = [&](double share) {
    const double position = share * static_cast<double>(values.size() - 1);
    return values[static_cast<std::size_t>(std::lround(position))];
  };
  return {at(kLowPercentile), at(kHighPercentile)};
}

Interval wilson_interval(std::uint64_t successes, std::uint64_t trials) {
  if (trials == 0) return {0, 1};
  const auto n = static_cast<double>(trials);
  return wilson_interval_of_share(static_cast<double>(successes) / n, n);
}

Interval wilson_interval_of_share(double share, double trials) {
  if (trials <= 0) return {0, 1};
  const double n = trials;
  const double square = kNormalQuantile * kNormalQuantile;
  const double centre = (share + square / (2 * n)) / (1 + square / n);
  const double half = kNormalQuantile / (1 + square / n) * std::sqrt(share * (1 - share) / n + square / (4 * n * n));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

F1Intervals bootstrap_f1(const LabelledSet& set, const PairOutcomes& outcomes, double threshold, PairPart part,
                         std::uint64_t seed, std::uint32_t rounds) {
  const std::vector<UnitCounts> units = count_by_unit(set, outcomes, threshold, part);
  std::vector<double> lenient;
  std::vector<double> strict;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::uint64_t stream = stream_of(seed, round);
    UnitCounts sum;
    for (const UnitCounts& unit : units) {
      const std::uint64_t times = weight_in_stream(stream, unit.unit);
      sum.positives += times * unit.positives;
      sum.found += times * unit.found;
      sum.wrong += times * unit.wrong;
      sum.topic += times * unit.topic;
    }
    const std::uint64_t missed = sum.positives - sum.found;
    lenient.push_back(rates_of(sum.found, sum.wrong, missed).f1);
    strict.push_back(rates_of(sum.found, sum.wrong + sum.topic, missed).f1);
  }
  return {middle_of(lenient), middle_of(strict)};
}

}  // namespace paraprint::inline lab::inline evaluation
