// The S-curve 1 - (1 - s^r)^b gets steeper with more rows. choose_banding() therefore takes as many rows as the wanted
// recall allows, and keys include the number of the band, so that equal rows in different bands do not match.
#include "lab/sketches/bands.h"

#include <cmath>

#include "base/assert.h"
#include "lab/sketches/shingle_builder.h"

namespace paraprint::inline lab::inline sketches {

double banding_probability(const Banding& banding, double equal_share) {
  const double one_band = std::pow(equal_share, static_cast<double>(banding.rows));
  return 1 - std::pow(1 - one_band, static_cast<double>(banding.bands));
}

Banding choose_banding(std::size_t places, double equal_share, double probability) {
  Banding best{places, 1};
  for (std::size_t rows = 2; rows <= places; ++rows) {
    const Banding banding{places / rows, rows};
    // The probability falls with every further row, since bands get both stricter and fewer.
    if (banding_probability(banding, equal_share) < probability) break;
    best = banding;
  }
  return best;
}

void append_band_keys(const Banding& banding, const std::vector<std::uint64_t>& places,
                      std::vector<std::uint64_t>& keys) {
  PARAPRINT_ASSERT(banding.bands * banding.rows <= places.size());
  std::vector<std::uint64_t> band(banding.rows + 1);
  for (std::size_t number = 0; number < banding.bands; ++number) {
    band[0] = number;
    for (std::size_t row = 0; row < banding.rows; ++row) band[row + 1] = places[number * banding.rows + row];
    keys.push_back(hash_of_values(band));
  }
}

}  // namespace paraprint::inline lab::inline sketches
