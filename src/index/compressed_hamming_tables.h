// Hamming tables (hamming_tables.h) in compressed form, the option that their paper describes (G. S. Manku, A. Jain, A.
// Das Sarma, WWW 2007, section 3.2): about half the memory, for lookups that decode the blocks which they compare.
//
// Each table holds the distinct permuted fingerprints, in blocks (sorted_word_blocks.h). Only the first one also knows
// which fingerprints they are: what another table finds, which is rare, is looked up there.
//
// Exact, with the same answers as hamming_tables.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming_design.h"
#include "index/hamming_table_keys.h"
#include "index/sorted_word_blocks.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline index {

// Value: std::uint64_t or Fingerprint128. Immutable once built.
template <class Value>
class CompressedHammingTables {
 public:
  // Errors: those of shape_of(), and kLimitExceeded for 2^32 - 1 or more fingerprints. O(tables * n log n). Memory of n
  // evenly spread fingerprints of f bits: about (f - log2(n) + 6) / 8 bytes per table and fingerprint, 4 to 8 more per
  // fingerprint, and 24 or 48 more while a table is being made.
  static Result<CompressedHammingTables> build(std::span<const Value> fingerprints, const HammingDesign& design);

  // Replaces `hits` with all fingerprints within k bits, by ascending index. Thread-safe.
  HammingLookupStatistics find(const Value& query, std::vector<HammingHit>& hits) const;

  std::size_t table_count() const { return tables_.size(); }
  std::uint64_t memory_bytes() const;

 private:
  using Word = typename hamming_internal::TableTraits<Value>::Word;

  struct CompressedTable {
    hamming_internal::TableKey<Word> key;
    hamming_internal::SortedWordBlocks<Word> blocks;
  };
  struct LookupBuffers;

  void number_fingerprints(std::span<const hamming_internal::TableRecord<Word>> records);
  // Appends a hit for each fingerprint of this value, which must be one of them.
  void report(Word value, int distance_bits, LookupBuffers& buffers, std::vector<HammingHit>& hits) const;

  int distance_bits_ = 0;
  std::vector<CompressedTable> tables_;
  // Of the first table: the fingerprints, by its order.
  std::vector<std::uint32_t> indices_;
  // The first index of each distinct word, and one more for the end; empty if there are no equal fingerprints.
  std::vector<std::uint32_t> first_indices_;
};

extern template class CompressedHammingTables<std::uint64_t>;
extern template class CompressedHammingTables<Fingerprint128>;

}  // namespace paraprint::inline index
