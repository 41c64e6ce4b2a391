// Likelihood ratio tests of a weighted sum of group shares. Both figures are the value v for which the sum is 0, so one
// search serves both: the sum of copies inside minus v times the pairs, or of (1 - v) copies inside minus v copies
// outside.
#include "lab/judge/stratified_share.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/assert.h"

namespace paraprint::inline lab::inline judge {
namespace {

constexpr double kNormalQuantile = 1.959963984540054;  // 97.5 %
constexpr int kHalvings = 40;                          // of an interval of width 1: far below any shown digit
constexpr double kTrialsOfOnePair = 0.5;
constexpr double kRounding = 1e-12;  // of sums, relative to what they could be
constexpr double kMultiplierFirst = 1e-12;
constexpr double kMultiplierMaximum = 1e30;
constexpr double kMultiplierGrowth = 16;

// A group as a term of the sum: weight times share.
struct SumTerm {
  double weight = 0;
  double trials = 0;  // infinite if all pairs were judged
  double share = 0;   // of the judged pairs
};

// Draws without replacement vary less than with it: n of N pairs say as much as n (N - 1) / (N - n) of infinitely many.
// And n - 1 instead of n, because the share of the judged pairs, from which likelihoods are measured, was fitted to
// them: their variance is too small by that on average, which matters in strata of a few pairs.
SumTerm term_of(const JudgedGroup& group, double weight) {
  const std::uint64_t pairs = group.inside + group.outside;
  PARAPRINT_ASSERT(group.judged_pairs > 0 && group.judged_pairs <= pairs);
  PARAPRINT_ASSERT(group.judged_copies <= group.judged_pairs);
  const auto judged = static_cast<double>(group.judged_pairs);
  SumTerm term;
  term.weight = weight;
  term.share = static_cast<double>(group.judged_copies) / judged;
  if (group.judged_pairs == pairs) {
    term.trials = std::numeric_limits<double>::infinity();
  } else {
    term.trials = std::max(judged - 1, kTrialsOfOnePair) * static_cast<double>(pairs - 1) /
                  static_cast<double>(pairs - group.judged_pairs);
  }
  return term;
}

// The share that maximises y log p + (n - y) log(1 - p) - multiplier * weight * p.
double constrained_share(const SumTerm& term, double multiplier) {
  if (std::isinf(term.trials)) return term.share;
  const double b = multiplier * term.weight;
  const double n = term.trials;
  const double y = term.share * n;
  // The root in [0, 1] of b p^2 - (n + b) p + y = 0, in the form that does not cancel.
  const double root = std::sqrt(std::max(0.0, (n + b) * (n + b) - 4 * b * y));
  const double p = n + b >= 0 ? 2 * y / (n + b + root) : (n + b - root) / (2 * b);
  return std::clamp(p, 0.0, 1.0);
}

double sum_at(std::span<const SumTerm> terms, double multiplier) {
  double sum = 0;
  for (const SumTerm& term : terms) sum += term.weight * constrained_share(term, multiplier);
  return sum;
}

// The multiplier for which the constrained shares sum up to `target`. The sum falls as the multiplier rises.
// Multipliers may have any magnitude, so a bracket is grown first and then halved.
double multiplier_for(std::span<const SumTerm> terms, double target) {
  const bool is_positive = sum_at(terms, 0) > target;
  double inner = 0;
  double outer = is_positive ? kMultiplierFirst : -kMultiplierFirst;
  while (std::abs(outer) < kMultiplierMaximum && (sum_at(terms, outer) > target) == is_positive) {
    inner = outer;
    outer *= kMultiplierGrowth;
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (inner + outer) / 2;
    ((sum_at(terms, middle) > target) == is_positive ? inner : outer) = middle;
  }
  return (inner + outer) / 2;
}

// Twice the logarithm of how much more likely the judged shares are than the most likely ones whose sum is `target`.
double likelihood_ratio(std::span<const SumTerm> terms, double target) {
  double sum = 0;
  double least = 0;  // of what the sum could be
  double most = 0;
  for (const SumTerm& term : terms) {
    const double own = term.weight * term.share;
    const bool is_fixed = std::isinf(term.trials);
    sum += own;
    least += is_fixed ? own : std::min(0.0, term.weight);
    most += is_fixed ? own : std::max(0.0, term.weight);
  }
  const double rounding = kRounding * std::max(1.0, std::abs(least) + std::abs(most));
  if (std::abs(sum - target) < rounding) return 0;
  if (target < least - rounding || target > most + rounding) return std::numeric_limits<double>::infinity();
  const double multiplier = multiplier_for(terms, target);
  double ratio = 0;
  for (const SumTerm& term : terms) {
    if (std::isinf(term.trials)) continue;
    const double share = constrained_share(term, multiplier);
    if (term.share > 0) ratio += 2 * term.trials * term.share * std::log(term.share / share);
    if (term.share < 1) ratio += 2 * term.trials * (1 - term.share) * std::log((1 - term.share) / (1 - share));
  }
  return ratio;
}

// The border between the values that `accepts` (the estimate is one) and those that it does not, on one side.
template <class Accepts>
double border(double estimate, double end, const Accepts& accepts) {
  if (accepts(end)) return end;
  double inner = estimate;
  double outer = end;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (inner + outer) / 2;
    (accepts(middle) ? inner : outer) = middle;
  }
  return inner;
}

template <class Statistic>
JudgedShare interval_around(double estimate, const Statistic& statistic) {
  const auto accepts = [&](double value) { return statistic(value) <= kNormalQuantile * kNormalQuantile; };
  return {true, estimate, {border(estimate, 0.0, accepts), border(estimate, 1.0, accepts)}};
}

constexpr JudgedShare kUnknown = {false, 0, {0, 1}};

}  // namespace

JudgedShare share_of_copies(std::span<const JudgedGroup> groups) {
  std::vector<SumTerm> terms;
  double pairs = 0;
  double copies = 0;
  for (const JudgedGroup& group : groups) {
    if (group.inside == 0) continue;
    const auto inside = static_cast<double>(group.inside);
    terms.push_back(term_of(group, inside));
    pairs += inside;
    copies += inside * terms.back().share;
  }
  if (pairs == 0) return kUnknown;
  return interval_around(copies / pairs, [&](double value) { return likelihood_ratio(terms, value * pairs); });
}

JudgedShare share_inside(std::span<const JudgedGroup> groups) {
  std::vector<SumTerm> terms;
  double copies_inside = 0;
  double copies = 0;
  for (const JudgedGroup& group : groups) {
    terms.push_back(term_of(group, 0));
    copies_inside += static_cast<double>(group.inside) * terms.back().share;
    copies += static_cast<double>(group.inside + group.outside) * terms.back().share;
  }
  if (copies == 0) return kUnknown;
  return interval_around(copies_inside / copies, [&](double value) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      terms[i].weight =
          (1 - value) * static_cast<double>(groups[i].inside) - value * static_cast<double>(groups[i].outside);
    }
    return likelihood_ratio(terms, 0);
  });
}

}  // namespace paraprint::inline lab::inline judge
