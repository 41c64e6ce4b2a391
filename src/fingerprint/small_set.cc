// Why pairs of values suffice: of two sets, let f and g be the first two common values. All values of a set before g,
// except f, are missing in the other one, so together they hold at most 1 - common_share of its parts. Each set
// therefore names all pairs (f, g) for which that holds. If there is only one common value, it alone holds common_share
// of the parts of each set.
#include "fingerprint/small_set.h"

#include <numeric>

#include "base/assert.h"
#include "base/hash.h"

namespace paraprint::inline fingerprint {
namespace {

constexpr double kRounding = 1e-9;  // far above the rounding error of sums

double sum_of(const SmallSet& set) {
  return std::accumulate(set.parts.begin(), set.parts.end(), 0.0);
}

// What may be missing of a set with these parts.
double missing_maximum(double all, double common_share) {
  return all * (1 - common_share + kRounding);
}

unsigned bit_of(std::uint64_t value) {
  return static_cast<unsigned>(mix64(value) >> 57);
}

}  // namespace

void append_pair_keys(const SmallSet& set, double common_share, std::vector<std::uint64_t>& keys) {
  const auto& [values, parts] = set;
  PARAPRINT_ASSERT(values.size() == parts.size());
  const double all = sum_of(set);
  const double most = missing_maximum(all, common_share);
  const double enough_alone = all * (common_share - kRounding);
  double before_first = 0;
  for (std::size_t first = 0; first < values.size() && before_first <= most; ++first) {
    if (parts[first] >= enough_alone) keys.push_back(values[first]);
    double missing = before_first;
    for (std::size_t second = first + 1; second < values.size() && missing <= most; ++second) {
      keys.push_back(mix64(mix64(values[first]) + values[second]));
      missing += parts[second];
    }
    before_first += parts[first];
  }
}

Fingerprint128 value_bits_of(const SmallSet& set) {
  Fingerprint128 bits;
  for (const std::uint64_t value : set.values) {
    const unsigned bit = bit_of(value);
    (bit < 64 ? bits.low : bits.high) |= std::uint64_t{1} << bit % 64;
  }
  return bits;
}

SmallSetFilter::SmallSetFilter(const SmallSet& set, double common_share)
    : missing_maximum_(missing_maximum(sum_of(set), common_share)) {
  for (std::size_t i = 0; i < set.values.size(); ++i) parts_.push_back({bit_of(set.values[i]), set.parts[i]});
}

}  // namespace paraprint::inline fingerprint
