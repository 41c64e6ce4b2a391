// How the tables of a Hamming index cut fingerprints (G. S. Manku, A. Jain, A. Das Sarma, WWW 2007).
//
// The f bits are cut into m > k blocks; k flipped bits leave some m-k of them intact. There is one table per choice of
// m-k blocks, permuted so that these lead. Cutting the remaining bits into blocks again, and choosing again, makes runs
// of equal leading bits shorter at the price of more tables, so designs have levels. docs/algorithms/hamming.md has the
// trade-off. Used by hamming_tables.h and compressed_hamming_tables.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "paraprint/result.h"

namespace paraprint::inline index {

// More tables than this need more memory than any collection justifies.
inline constexpr std::size_t kHammingTablesMaximum = 256;

// How the bits are cut: at each level the bits left by the previous levels are cut into the given number of blocks,
// larger ones first, and all but k of the blocks are chosen. For f = 64 and k = 3 the published designs are {4}, {5},
// {4, 4} and {6}, with 4, 10, 16 and 20 tables.
struct HammingDesign {
  int distance_bits = 3;  // k: 0 to 31, and less than half of the fingerprint's bits
  std::vector<int> block_counts;
};

struct HammingDesignShape {
  std::size_t tables = 0;
  int key_bits_minimum = 0;  // p, over all tables
  int key_bits_maximum = 0;
};

// kInvalidArgument for a design without levels, with a distance out of range, a level of k blocks or fewer, more blocks
// than bits, or more than kHammingTablesMaximum tables.
Result<HammingDesignShape> shape_of(const HammingDesign& design, int bits);

// The design with the fastest lookups among `count` evenly spread fingerprints: minimum of tables * (search + run).
// kInvalidArgument for a distance out of range.
Result<HammingDesign> choose_hamming_design(int bits, int distance_bits, double count);

struct HammingHit {
  std::uint32_t index = 0;  // of the fingerprint, in the order given to build()
  int distance_bits = 0;
  friend bool operator==(const HammingHit&, const HammingHit&) = default;
};

struct HammingLookupStatistics {
  std::uint64_t comparisons = 0;
};

}  // namespace paraprint::inline index
