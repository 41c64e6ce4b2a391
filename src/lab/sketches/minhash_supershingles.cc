// Keys contain places, so that equal values at different places do not match. Pairs suffice for any minimum above two:
// three equal supershingles include an equal pair, and the comparison counts again.
#include "lab/sketches/minhash_supershingles.h"

#include "fingerprint/minhash_signature.h"
#include "lab/sketches/shingle_builder.h"

namespace paraprint::inline lab::inline sketches {

std::array<std::uint64_t, kSupershingles> supershingles(std::span<const std::uint64_t> shingles) {
  std::array<std::uint64_t, kSupershingles * kMinHashesOfSupershingle> signature;
  minhash_signature(shingles, signature);
  std::array<std::uint64_t, kSupershingles> result;
  for (std::size_t i = 0; i < kSupershingles; ++i) {
    result[i] = hash_of_values(std::span(signature).subspan(i * kMinHashesOfSupershingle, kMinHashesOfSupershingle));
  }
  return result;
}

std::size_t common_supershingles(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  return equal_places(a.first(kSupershingles), b.first(kSupershingles));
}

void append_supershingle_keys(std::span<const std::uint64_t> values, std::size_t common_minimum,
                              std::vector<std::uint64_t>& keys) {
  for (std::size_t i = 0; i < kSupershingles; ++i) {
    if (common_minimum < 2) keys.push_back(hash_of_values(std::array<std::uint64_t, 2>{i, values[i]}));
    for (std::size_t j = i + 1; j < kSupershingles && common_minimum >= 2; ++j) {
      keys.push_back(hash_of_values(std::array<std::uint64_t, 4>{i, values[i], j, values[j]}));
    }
  }
}

}  // namespace paraprint::inline lab::inline sketches
