// SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014). Element n >= 1 of a seed's stream is the output of
// seed + n * kSplitMixStep. Pure; the same on every machine.
#pragma once

#include <cstdint>

namespace paraprint::inline base {

inline constexpr std::uint64_t kSplitMixStep = 0x9E3779B97F4A7C15ULL;

constexpr std::uint64_t split_mix_output(std::uint64_t state) {
  std::uint64_t value = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

}  // namespace paraprint::inline base
