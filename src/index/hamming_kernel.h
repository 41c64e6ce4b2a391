// The inner loop of the Hamming join: finds all close pairs of one small bucket with the widest vectors of the machine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace paraprint::inline index {

struct BucketPair {
  std::uint32_t first = 0;  // position in the bucket, first < second
  std::uint32_t second = 0;
};

// `checks` must be readable for this many elements past its end; their values do not matter.
inline constexpr std::size_t kBucketPadding = 64;

// A bucket to search: `size` checks, of which the rows [row_begin, row_end) are compared with their successors, up to
// `reach` positions away. In a bucket of near copies every pair is close, so callers pass rows in portions.
template <class Check>
struct BucketRows {
  const Check* checks = nullptr;
  std::size_t size = 0;
  std::size_t row_begin = 0;
  std::size_t row_end = 0;
  std::size_t reach = 0;
};

// Appends each pair of positions first < second <= first + reach whose checks differ in at most `distance_bits` bits.
// The order depends on the vector width; only the set of pairs is the same on every machine. Thread-safe.
void find_close_pairs(const BucketRows<std::uint32_t>& rows, int distance_bits, std::vector<BucketPair>& pairs);
void find_close_pairs(const BucketRows<std::uint64_t>& rows, int distance_bits, std::vector<BucketPair>& pairs);

// Calls `visit(pair)` for every close pair of a bucket, using a bounded buffer.
template <class Check, class Visitor>
void for_each_close_pair(const Check* checks, std::size_t size, std::size_t reach, int distance_bits,
                         std::vector<BucketPair>& buffer, Visitor&& visit) {
  constexpr std::size_t kBufferPairs = std::size_t{1} << 20;  // 8 MiB if every pair is close
  const std::size_t step = std::max<std::size_t>(64, kBufferPairs / (reach + 1) / 4 * 4);
  for (std::size_t row = 0; row < size; row += step) {
    buffer.clear();
    find_close_pairs(BucketRows<Check>{checks, size, row, std::min(size, row + step), reach}, distance_bits, buffer);
    for (const BucketPair& pair : buffer) visit(pair);
  }
}

}  // namespace paraprint::inline index
