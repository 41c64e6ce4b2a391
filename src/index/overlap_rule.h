// When two sets overlap enough, and how little of them has to be looked at to find all such pairs: the arithmetic of
// the joins over sets, one class for each measure. It depends on one set or one pair at a time, so that a join may be
// divided among processes.
//
// The elements of every set are in one order. The rest of a set at an element is what the set has from there on: the
// number of elements, the sum of their weights, or, of a set scaled to norm 1, their norm. The size of a set is the
// number of all its elements, or the sum of their weights; x is a set and y one that is no larger. A rule answers
//   indexed_rest(y)     elements of y with at least this rest are found by others,
//   probed_rest(x)      elements of x with at least this rest are looked up,
//   is_too_small(y, x)  whether y is ruled out by its size alone, for this x and all larger ones,
//   may_match(x, y, rest_x, rest_y)  whether a pair can reach the minimum, given the rests at its first common element,
//   matches(common, x, y)            the decision.
// Two sets that match have a common element that is found by others in y and looked up in x.
// docs/algorithms/shingles.md derives the bounds.
//
// Thread-safe. Every function is O(1).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "paraprint/result.h"

namespace paraprint::inline index {

// Sets that a set is compared with for one element: a crowd of near sets, all of them near one another, stays linear.
// Those nearest in size are preferred.
inline constexpr std::uint32_t kPostingCap = 16384;

// kInvalidArgument unless the minimum is above 0 and at most 1.
Status check_overlap_minimum(double minimum);

namespace overlap_internal {

// Upper bound of the relative rounding error of a bound computed in double precision.
inline constexpr double kRoundingShare = 1e-12;
// How far below the minimum a cosine may be and still be reported: covers sums of float weights in double precision.
inline constexpr double kCosineSlack = 1e-9;

// The smallest count that reaches `bound`, at least 1. Errs downwards: a superfluous pair only costs a comparison.
inline std::uint32_t at_least(double bound) {
  return static_cast<std::uint32_t>(std::max(1.0, std::ceil(bound * (1 - kRoundingShare))));
}

}  // namespace overlap_internal

// common / union >= t  <=>  common >= t / (1 + t) * (|x| + |y|). Sets before x are no larger, so y indexes for a
// partner of its own size, the smallest one it can still meet.
class JaccardRule {
 public:
  explicit JaccardRule(double minimum) : minimum_(minimum) {}

  std::uint32_t required(double x, double y) const {
    return overlap_internal::at_least(minimum_ / (1 + minimum_) * (x + y));
  }
  std::uint32_t indexed_rest(double y) const { return required(y, y); }
  std::uint32_t probed_rest(double x) const { return smallest_partner(x); }
  bool is_too_small(double y, double x) const { return y < smallest_partner(x); }
  bool may_match(double x, double y, double rest_x, double rest_y) const {
    return std::min(rest_x, rest_y) >= required(x, y);
  }
  bool matches(double common, double x, double y) const { return common / (x + y - common) >= minimum_; }

 private:
  std::uint32_t smallest_partner(double x) const { return overlap_internal::at_least(minimum_ * x); }

  double minimum_;
};

// common / |y| >= t with y the smaller set. Nothing bounds x, so x looks up all of its elements.
class ContainmentRule {
 public:
  explicit ContainmentRule(double minimum) : minimum_(minimum) {}

  std::uint32_t required(double /*x*/, double y) const { return overlap_internal::at_least(minimum_ * y); }
  std::uint32_t indexed_rest(double y) const { return required(y, y); }
  std::uint32_t probed_rest(double /*x*/) const { return 1; }
  bool is_too_small(double /*y*/, double /*x*/) const { return false; }
  bool may_match(double x, double y, double rest_x, double rest_y) const {
    return std::min(rest_x, rest_y) >= required(x, y);
  }
  bool matches(double common, double /*x*/, double y) const { return common / y >= minimum_; }

 private:
  double minimum_;
};

// Of sets scaled to norm 1. By Cauchy-Schwarz the elements from a position on add at most the product of the norms of
// both remainders, so prefixes end where the remaining norm falls below the minimum. Every pair with at least the
// minimum matches, and none below minimum - 1e-8. A set without a norm has no rests, so nothing finds it.
class CosineRule {
 public:
  explicit CosineRule(double minimum) : minimum_(minimum - overlap_internal::kCosineSlack) {}

  // What a set has to be scaled by, given the sum of the squares of its weights; 0 if it has no norm.
  static double scale_of(double square) { return square > 0 ? 1 / std::sqrt(square) : 0; }
  // Rounded up, so that a bound kept as a float never excludes a pair.
  static float rest_norm(double rest_square, double scale) {
    return std::nextafter(static_cast<float>(std::sqrt(rest_square) * scale), 2.0F);
  }

  double required(double /*x*/, double /*y*/) const { return minimum_; }
  double indexed_rest(double /*y*/) const { return minimum_; }
  double probed_rest(double /*x*/) const { return minimum_; }
  bool is_too_small(double /*y*/, double /*x*/) const { return false; }
  bool may_match(double /*x*/, double /*y*/, double rest_x, double rest_y) const { return rest_x * rest_y >= minimum_; }
  bool matches(double product, double /*x*/, double /*y*/) const { return product >= minimum_; }

 private:
  double minimum_;
};

// As JaccardRule, with sums of weights in place of numbers of elements. A set of total weight 0 matches nothing.
class WeightedJaccardRule {
 public:
  explicit WeightedJaccardRule(double minimum) : minimum_(minimum) {}

  double required(double x, double y) const {
    return minimum_ / (1 + minimum_) * (x + y) * (1 - overlap_internal::kRoundingShare);
  }
  double indexed_rest(double y) const { return y > 0 ? required(y, y) : std::numeric_limits<double>::infinity(); }
  double probed_rest(double x) const { return x > 0 ? smallest_partner(x) : std::numeric_limits<double>::infinity(); }
  bool is_too_small(double y, double x) const { return y < smallest_partner(x); }
  bool may_match(double x, double y, double rest_x, double rest_y) const {
    return std::min(rest_x, rest_y) >= required(x, y);
  }
  bool matches(double common, double x, double y) const { return common / (x + y - common) >= minimum_; }

 private:
  double smallest_partner(double x) const { return minimum_ * x * (1 - overlap_internal::kRoundingShare); }

  double minimum_;
};

}  // namespace paraprint::inline index
