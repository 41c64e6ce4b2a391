// The inner loop of the Hamming join: all close pairs of one small bucket, with the widest vectors the machine has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paraprint {

struct BucketPair {
  std::uint32_t first = 0;  // position in the bucket, first < second
  std::uint32_t second = 0;
};

// `checks` has to be readable for this many elements past its end; what they hold does not matter.
inline constexpr std::size_t kBucketPadding = 64;

// Appends each pair of positions first < second <= first + reach whose checks differ in at most `distance_bits` bits.
// Order: by first in steps of a few rows; the same on every machine only as a set. Thread-safe.
void find_close_pairs(const std::uint32_t* checks, std::size_t size, std::size_t reach, int distance_bits,
                      std::vector<BucketPair>& pairs);
void find_close_pairs(const std::uint64_t* checks, std::size_t size, std::size_t reach, int distance_bits,
                      std::vector<BucketPair>& pairs);

}  // namespace paraprint
