// Fingerprints within k bits of a query (G. S. Manku, A. Jain, A. Das Sarma, WWW 2007): the index for single lookups.
// For all pairs of a collection use hamming_join.h, which needs neither sorting nor tables in memory.
//
// The f bits are cut into m > k blocks; k flipped bits leave some m-k of them intact. There is one table per choice of
// m-k blocks, permuted so that these lead, and sorted: a lookup searches each table for the leading bits of the query
// and compares the run it finds. Cutting the remaining bits into blocks again, and choosing again, makes runs shorter
// at the price of more tables, so designs have levels. docs/algorithms/hamming.md has the trade-off and the
// measurements.
//
// Exact: every fingerprint within k bits is found once, and no other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming_blocks.h"
#include "paraprint/model.h"
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

namespace hamming_internal {

template <class Value>
struct TableTraits;
template <>
struct TableTraits<std::uint64_t> {
  using Word = std::uint64_t;
  static constexpr int kBits = 64;
};
template <>
struct TableTraits<Fingerprint128> {
  using Word = Word128;
  static constexpr int kBits = 128;
};

}  // namespace hamming_internal

// Value: std::uint64_t or Fingerprint128. Immutable once built.
template <class Value>
class HammingTables {
 public:
  // Errors: those of shape_of(), kLimitExceeded for 2^32 - 1 or more fingerprints. O(tables * n log n). Memory per
  // table and fingerprint: 12 bytes for 64 bits, 20 for 128, and up to half a byte for the directory; 16 or 32 more
  // bytes per fingerprint while a table is being sorted.
  static Result<HammingTables> build(std::span<const Value> fingerprints, const HammingDesign& design);

  // Replaces `hits` with all fingerprints within k bits, by ascending index. Thread-safe.
  HammingLookupStatistics find(const Value& query, std::vector<HammingHit>& hits) const;

  std::size_t table_count() const { return tables_.size(); }
  std::uint64_t memory_bytes() const;

 private:
  using Word = typename hamming_internal::TableTraits<Value>::Word;
  using Permutation = typename hamming_internal::BlockPlan<Word>::Table;

  struct PermutedTable {
    Permutation permutation;
    Word key_mask = 0;                // the key bits at their positions in the original fingerprint
    int key_bits = 0;                 // used for searching: p, at most 64
    int directory_bits = 0;           // leading bits resolved by the directory
    std::vector<std::uint64_t> high;  // top 64 bits of the permuted fingerprints, ascending; padded for the kernel
    std::vector<std::uint64_t> low;   // the other 64, if any
    std::vector<std::uint32_t> indices;
    std::vector<std::uint32_t> directory;  // leading bits -> first position
  };
  struct Run {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  static void fill(PermutedTable& table, std::span<const Value> fingerprints);
  static Run run_of(const PermutedTable& table, std::uint64_t permuted_high);
  bool is_first_to_find(std::size_t table, Word difference) const;

  int distance_bits_ = 0;
  std::vector<PermutedTable> tables_;
};

extern template class HammingTables<std::uint64_t>;
extern template class HammingTables<Fingerprint128>;

}  // namespace paraprint::inline index
