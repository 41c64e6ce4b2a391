// How small weighted sets with much in common are found and told from others (docs/algorithms/keywords.md#small-sets):
// by pairs of values instead of single ones, because many pages share a rare value with a page, and few share two; and
// by 128 bits for each set, which prove of most others that they have too little in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "paraprint/model.h"

namespace paraprint::inline fingerprint {

// Larger sets would have thousands of keys, and nearly all bits.
inline constexpr std::size_t kSmallSetMaximum = 64;

struct SmallSet {
  std::vector<std::uint64_t> values;  // ascending and distinct, in an order that is the same for all sets
  std::vector<double> parts;          // positive, one per value: how much of the set it stands for

  void clear() {
    values.clear();
    parts.clear();
  }
};

// Appends the keys of a set. Two sets have a key in common if what they have in common holds at least `common_share`,
// in [0, 1], of the parts of each. The fewer sets have the first values, the more selective are the keys. Cost: linear
// in the number of keys, at most one per value and pair of values.
void append_pair_keys(const SmallSet& set, double common_share, std::vector<std::uint64_t>& keys);

// One bit for each value; several values may have the same bit.
Fingerprint128 value_bits_of(const SmallSet& set);

// Compares a set with the bits of others.
class SmallSetFilter {
 public:
  SmallSetFilter(const SmallSet& set, double common_share);

  // False only if what the other set has in common with this one holds less than common_share of the parts of this one.
  bool may_have_enough_in_common(const Fingerprint128& value_bits) const {
    double missing = 0;
    for (const Part& part : parts_) {
      const std::uint64_t word = part.bit < 64 ? value_bits.low : value_bits.high;
      missing += (word >> part.bit % 64 & 1) != 0 ? 0 : part.part;
    }
    return missing <= missing_maximum_;
  }

 private:
  struct Part {
    unsigned bit = 0;
    double part = 0;
  };
  std::vector<Part> parts_;
  double missing_maximum_ = 0;
};

}  // namespace paraprint::inline fingerprint
