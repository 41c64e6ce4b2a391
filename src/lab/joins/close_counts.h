// Closeness of two word counts in the relative frequency model (docs/algorithms/keywords.md), shared by the algorithm
// and its index.
#pragma once

namespace paraprint::inline lab::inline joins {

// a / b + b / a < limit; a limit of 2.5 means that they differ by a factor of less than 2. A count of 0 is close to no
// count. The counts b that are close to a form one interval, which contains a if limit > 2.
constexpr bool are_close_counts(double a, double b, double limit) {
  return a * a + b * b < limit * a * b;
}

}  // namespace paraprint::inline lab::inline joins
