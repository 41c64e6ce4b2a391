// Principal components (algorithms.md 22): the directions in which points differ most, found by randomised subspace
// iteration (N. Halko, P.-G. Martinsson, J. A. Tropp, "Finding structure with randomness", SIAM Review 53, 2011).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paraprint/result.h"

namespace paraprint {

struct ComponentSettings {
  double share = 0.9;           // of the variance that the components must keep
  std::uint32_t maximum = 256;  // of them
  std::uint64_t seed = 1;
};

struct PrincipalComponents {
  std::vector<double> mean;
  std::vector<double> directions;  // one after the other, each of length 1 and with its largest number positive
  std::vector<double> variances;   // along each, falling
  double total_variance = 0;       // along all directions there are
};

// `points` are rows of `dimension` finite numbers; at least one. As few components as keep the share, at most
// `maximum`; at least one. Where all points are equal the one direction is arbitrary and its variance 0. The same
// points and settings give the same numbers. Costs points * dimension * components * a dozen. kCancelled if asked to
// stop (paraprint/stop.h), heeded between iterations.
Result<PrincipalComponents> find_principal_components(std::span<const float> points, std::uint32_t dimension,
                                                      const ComponentSettings& settings);

// Shortens the directions such that the points spread alike along all of them, the last one being left as it is: else
// the first few decide nearly every angle. One that spreads less than a hundredth of the first counts as one that does.
void even_out(PrincipalComponents& components);

}  // namespace paraprint
