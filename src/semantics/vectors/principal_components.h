// Principal components (docs/algorithms/dense-paragraphs.md): the directions in which points differ most, found by
// randomised subspace iteration (N. Halko, P.-G. Martinsson, J. A. Tropp, "Finding structure with randomness", SIAM
// Review 53, 2011).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paraprint/result.h"

namespace paraprint::inline semantics::inline vectors {

struct ComponentSettings {
  double share = 0.9;           // share of the variance that the components must keep
  std::uint32_t maximum = 256;  // components
  std::uint64_t seed = 1;
};

struct PrincipalComponents {
  std::vector<double> mean;
  std::vector<double> directions;  // concatenated, each of length 1 and with its largest number positive
  std::vector<double> variances;   // along each direction, descending
  double total_variance = 0;       // over all directions of the space
};

// Requires at least one point; `points` are rows of `dimension` finite numbers. Returns as few components as keep the
// share, at least one and at most `maximum`. If all points are equal, the only direction is arbitrary and its variance
// 0. Deterministic. Cost: about 12 * points * dimension * components. kCancelled if asked to stop (base/stop.h),
// which takes effect between iterations.
Result<PrincipalComponents> find_principal_components(std::span<const float> points, std::uint32_t dimension,
                                                      const ComponentSettings& settings);

// Shortens the directions so that the points spread equally along all of them; otherwise the first few decide nearly
// every angle. The last direction is unchanged. A spread below 1/100 of the first one's counts as 1/100, which keeps
// noise from being amplified.
void even_out(PrincipalComponents& components);

}  // namespace paraprint::inline semantics::inline vectors
