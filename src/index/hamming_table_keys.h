// What all forms of Hamming tables share: the keys of a design's tables, their sorted fingerprints, and which table
// reports a fingerprint that several find (docs/algorithms/hamming.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming_blocks.h"
#include "index/hamming_design.h"
#include "memory/radix_sort.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline index::hamming_internal {

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

inline std::uint64_t top_of(std::uint64_t word) {
  return word;
}
inline std::uint64_t top_of(Word128 word) {
  return static_cast<std::uint64_t>(word >> 64);
}
inline std::uint64_t word_of(std::uint64_t value) {
  return value;
}
inline Word128 word_of(const Fingerprint128& value) {
  return Word128{value.high} << 64 | value.low;
}

// The key of one table: how its bits are brought to the front, and which they are.
template <class Word>
struct TableKey {
  typename BlockPlan<Word>::Table permutation;
  Word mask = 0;  // the key bits at their positions in the original fingerprint
};

// One for each table, in the order of the choices. Errors: those of shape_of(), and kLimitExceeded for 2^32 - 1 or more
// fingerprints, which tables cannot number.
template <class Word>
Result<std::vector<TableKey<Word>>> table_keys(const HammingDesign& design, std::size_t fingerprints);

// Several tables can find the same fingerprint; only the first table whose whole key agrees reports it. `difference` is
// in the original order of bits, where the key masks of all tables apply.
template <class Tables, class Word>
bool is_first_to_find(const Tables& tables, std::size_t table, Word difference) {
  if ((difference & tables[table].key.mask) != 0) return false;
  for (std::size_t before = 0; before < table; ++before) {
    if ((difference & tables[before].key.mask) == 0) return false;
  }
  return true;
}

// A permuted fingerprint and where it was in the order given to build().
template <class Word>
struct TableRecord {
  Word word = 0;
  std::uint32_t index = 0;
  friend bool operator<(const TableRecord& a, const TableRecord& b) {
    return a.word != b.word ? a.word < b.word : a.index < b.index;
  }
};

// The fingerprints of one table, by ascending permuted word, then by index.
template <class Word, class Value>
std::vector<TableRecord<Word>> sorted_records(const TableKey<Word>& key, std::span<const Value> fingerprints) {
  std::vector<TableRecord<Word>> records;
  records.reserve(fingerprints.size());
  for (const Value& value : fingerprints) {
    records.push_back({key.permutation.permute(word_of(value)), static_cast<std::uint32_t>(records.size())});
  }
  // Ties in the top 64 bits are broken by the comparison of the whole word, then by index: deterministic.
  radix_sort(std::span(records), [](const TableRecord<Word>& record) { return top_of(record.word); });
  return records;
}

}  // namespace paraprint::inline index::hamming_internal
