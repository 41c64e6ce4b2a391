// The choice of m, the number of blocks. More blocks mean longer keys and thus smaller buckets, but C(m, k) tables. The
// measured costs of a table and of a comparison decide; docs/algorithms/hamming.md has the measurements.
#include "index/hamming_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/hash.h"

namespace paraprint::inline index::hamming_internal {
namespace {

constexpr int kMaximumDistanceBits = 31;
constexpr int kMaximumBlockCount = 32;  // a choice of blocks is a 32-bit mask
constexpr int kMaximumTables = 4096;    // above this, another table never pays off
constexpr double kWantedBucket = 64;    // records; visiting smaller buckets costs more than comparing them

// Cost of one record in one table, in units of one comparison (measured: 20 to 40 ns per record; 0.05 to 0.25 ns per
// comparison with AVX-512 and AVX2).
constexpr double kTableCost = 256;

}  // namespace

// Multiplies and divides in turn, so that intermediate values stay small; round() removes the error of the divisions.
double choose(int from, int count) {
  double result = 1;
  for (int i = 1; i <= count; ++i) result = result * (from - count + i) / i;
  return std::round(result);
}

int wanted_key_bits(double count) {
  return std::max(1, static_cast<int>(std::ceil(std::log2(std::max(2.0, count / kWantedBucket)))));
}

int bucket_bits(int key_bits, double count) {
  return std::min({key_bits, wanted_key_bits(count), 2 * kMaximumDigitBits});
}

std::uint32_t part_of_bucket(std::size_t table, std::uint64_t bucket, std::uint32_t parts) {
  return static_cast<std::uint32_t>(mix64(std::uint64_t{table} << 32 | bucket) % parts);
}

// Tries every m up to the table limit. The narrowest key decides the bucket size: m - k blocks of bits / m bits.
int choose_block_count(int bits, int distance_bits, double count) {
  int best = distance_bits + 1;
  double best_cost = std::numeric_limits<double>::infinity();
  // kTableCost covers scattering a record; on average half of a bucket is compared with each record.
  for (int blocks = distance_bits + 1; blocks <= std::min(kMaximumBlockCount, bits); ++blocks) {
    const double tables = choose(blocks, distance_bits);
    if (tables > kMaximumTables) break;
    const int key_bits = std::min(wanted_key_bits(count), bits * (blocks - distance_bits) / blocks);
    const double cost = tables * (kTableCost + count / std::exp2(key_bits) / 2);
    if (cost < best_cost) {
      best_cost = cost;
      best = blocks;
    }
  }
  return best;
}

Status check_hamming_options(const HammingJoinOptions& options, int bits) {
  const int k = options.distance_bits;
  // Distances of half the bits and more are those of unrelated fingerprints.
  if (k < 0 || k > kMaximumDistanceBits || k * 2 >= bits) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("Hamming distance is {}; it must be 0 to {} and less than half of {} bits", k,
                               kMaximumDistanceBits, bits));
  }
  const int blocks = options.block_count;
  if (blocks == 0) return {};
  if (blocks > k && blocks <= kMaximumBlockCount && choose(blocks, k) <= kMaximumTables) return {};
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("{} blocks for a Hamming distance of {}; expected {} to {} blocks and at most {} tables",
                             blocks, k, k + 1, kMaximumBlockCount, kMaximumTables));
}

void count_comparisons(std::size_t size, std::size_t reach, HammingJoinStatistics& statistics) {
  const std::uint64_t all = std::uint64_t{size} * (size - 1) / 2;
  // Rows with `reach` successors each, and the last ones with as many as are left.
  const std::uint64_t made =
      reach >= size ? all : std::uint64_t{reach} * (size - reach) + std::uint64_t{reach} * (reach - 1) / 2;
  if (made < all) ++statistics.buckets_over_cap;
  statistics.comparisons += made;
  statistics.comparisons_not_made += all - made;
}

}  // namespace paraprint::inline index::hamming_internal
