// When two counts of a word are close, for the relative frequency model (algorithms.md 9): both the algorithm and its
// index ask.
#pragma once

namespace paraprint {

// a / b + b / a < limit: a limit of 2.5 is a factor of less than 2 between them. A count of 0 is close to none. Of
// rising b the answer turns from no to yes to no at most once each, and where limit > 2 it is yes at b = a.
constexpr bool are_close_counts(double a, double b, double limit) {
  return a * a + b * b < limit * a * b;
}

}  // namespace paraprint
