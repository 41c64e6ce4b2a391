// Fingerprints within k bits of a query (G. S. Manku, A. Jain, A. Das Sarma, WWW 2007): the index for single lookups.
// For all pairs of a collection use hamming_join.h, which needs neither sorting nor tables in memory.
//
// Tables are permuted as a design says (hamming_design.h), and sorted: a lookup searches each table for the leading
// bits of the query and compares the run it finds. docs/algorithms/hamming.md has the measurements.
//
// Exact: every fingerprint within k bits is found once, and no other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming_design.h"
#include "index/hamming_table_keys.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline index {

// Value: std::uint64_t or Fingerprint128. Immutable once built.
template <class Value>
class HammingTables {
 public:
  // Errors: those of shape_of(), and kLimitExceeded for 2^32 - 1 or more fingerprints. O(tables * n log n). Memory per
  // table and fingerprint: 12 bytes for 64 bits, 20 for 128, and up to half a byte for the directory; 16 or 32 more
  // bytes per fingerprint while a table is being sorted.
  static Result<HammingTables> build(std::span<const Value> fingerprints, const HammingDesign& design);

  // Replaces `hits` with all fingerprints within k bits, by ascending index. Thread-safe.
  HammingLookupStatistics find(const Value& query, std::vector<HammingHit>& hits) const;

  std::size_t table_count() const { return tables_.size(); }
  std::uint64_t memory_bytes() const;

 private:
  using Word = typename hamming_internal::TableTraits<Value>::Word;

  struct PermutedTable {
    hamming_internal::TableKey<Word> key;
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

  int distance_bits_ = 0;
  std::vector<PermutedTable> tables_;
};

extern template class HammingTables<std::uint64_t>;
extern template class HammingTables<Fingerprint128>;

}  // namespace paraprint::inline index
