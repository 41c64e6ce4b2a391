// Locality-sensitive hashing of signatures by bands (P. Indyk, R. Motwani, STOC 1998; docs/algorithms/minhash.md).
//
// The places of a signature are cut into b bands of r rows, and pages with an equal band are candidates. If a share s
// of the places is equal, that happens with probability 1 - (1 - s^r)^b.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paraprint::inline lab::inline sketches {

struct Banding {
  std::size_t bands = 0;
  std::size_t rows = 0;
};

double banding_probability(const Banding& banding, double equal_share);

// Pairs with the minimum share of equal places of interest are found with this probability; better pairs more often.
inline constexpr double kBandingProbability = 0.98;

// The largest number of rows, at least one, for which pairs with `equal_share` are still found with at least
// `probability`, using as many bands as the places allow. More rows mean fewer candidates that share little.
Banding choose_banding(std::size_t places, double equal_share, double probability = kBandingProbability);

// Appends one key per band of the signature `places`: H64 of the band's number and rows.
void append_band_keys(const Banding& banding, const std::vector<std::uint64_t>& places,
                      std::vector<std::uint64_t>& keys);

}  // namespace paraprint::inline lab::inline sketches
