// Shares estimated from stratified samples, with 95 % likelihood intervals: what precision and recall are if only some
// pairs were judged.
#pragma once

#include <cstdint>
#include <span>

#include "paraprint/judged_samples.h"

namespace paraprint::inline lab::inline judge {

// Pairs that are assumed to have the same share of copies, of which a random sample was judged.
struct JudgedGroup {
  // How many of the pairs count for the figure, and how many against it: of a recall, pairs that the algorithm found
  // and that it did not find.
  std::uint64_t inside = 0;
  std::uint64_t outside = 0;
  // The judged pairs and the copies among them. judged_pairs is at least 1 and at most inside + outside.
  std::uint64_t judged_pairs = 0;
  std::uint64_t judged_copies = 0;
};

// The share of copies among the pairs inside. Pairs outside count only as pairs that a sample was drawn from. Unknown
// (JudgedShare::is_known is false, interval 0 to 1) if no pair is inside.
//
// The estimate is the stratified one: each group's share, weighted by its pairs. The interval is that of the profile
// likelihood: it has the values under which the most likely group shares make the judgements at least exp(-1.92) times
// as likely as the judged shares do (half the 95 % quantile of chi-square, Wilks 1938; Venzon and Moolgavkar 1988). It
// stays within 0 and 1, and has a width even if all judged pairs agree. A group's sample counts as larger the more of
// its pairs were judged (finite population), so that the interval has no width if all were. O(groups) times a few
// thousand steps.
JudgedShare share_of_copies(std::span<const JudgedGroup> groups);

// The share of copies inside among all copies, likewise. For a value r, the tested sum is that of (1 - r) times the
// copies inside minus r times those outside, which is 0 if r is the share (Fieller 1940). Unknown if the estimated
// number of copies is 0.
JudgedShare share_inside(std::span<const JudgedGroup> groups);

}  // namespace paraprint::inline lab::inline judge
