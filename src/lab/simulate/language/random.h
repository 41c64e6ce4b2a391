// Random numbers that are the same on every machine and with every standard library: SplitMix64 (Steele,
// Lea and Flood 2014) and our own mapping from 64 bits to a choice. Each library may define
// std::*_distribution differently, so none is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/split_mix.h"

namespace paraprint::inline lab::inline simulate::inline language {

// Derives a seed for one purpose from another seed. What is made from `seed` for page 7 does not depend on what was
// made for page 6, so pages can be made in any order and on any thread.
inline std::uint64_t derive_seed(std::uint64_t seed, std::initializer_list<std::uint64_t> purpose) {
  std::uint64_t value = mix64(seed + kSplitMixStep);
  for (const std::uint64_t part : purpose) value = mix64(value ^ (part + kSplitMixStep + (value << 6) + (value >> 2)));
  return value;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += kSplitMixStep;
    return split_mix_output(state_);
  }

  // In [0, count); 0 for count 0. The bias of the multiplication is below count / 2^32.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(((next() >> 32) * count) >> 32); }

  // In [least, most].
  std::size_t between(std::size_t least, std::size_t most) { return least + below(most - least + 1); }

  // In [0, 1), with 53 random bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  bool chance(double probability) { return unit() < probability; }

  // Requires a non-empty range.
  template <class Range>
  const auto& pick(const Range& range) {
    return range[below(std::size(range))];
  }

  template <class Value>
  void shuffle(std::vector<Value>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace paraprint::inline lab::inline simulate::inline language
