// Locality-sensitive hashing of signatures by bands (algorithms.md 32; P. Indyk, R. Motwani, STOC 1998).
//
// A signature's places are cut into b bands of r rows, and pages with an equal band are candidates: with a share s of
// equal places that happens with probability 1 - (1 - s^r)^b.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paraprint {

struct Banding {
  std::size_t bands = 0;
  std::size_t rows = 0;
};

double banding_probability(const Banding& banding, double equal_share);

// Pairs of the least share of equal places that is looked for are found with this probability.
inline constexpr double kBandingProbability = 0.98;

// As many rows as the places allow for pairs of `equal_share` to be found with `probability` at least, all places in
// use; at least one row. More rows mean fewer candidates that share little.
Banding choose_banding(std::size_t places, double equal_share, double probability = kBandingProbability);

// Keys of all bands of `places`, values with one place each: H64 of the band's number and rows.
void append_band_keys(const Banding& banding, const std::vector<std::uint64_t>& places,
                      std::vector<std::uint64_t>& keys);

}  // namespace paraprint
