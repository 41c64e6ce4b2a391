// The sorted tables. A table stores the permuted fingerprints as two parallel arrays of 64-bit words because the vector
// scan reads them directly; the permutation is undone only for hits, whose exact difference decides which table reports
// them.
#include "index/hamming_tables.h"

#include <algorithm>

#include "base/hamming_scan.h"
#include "base/propagate.h"

namespace paraprint::inline index {
namespace {

using namespace hamming_internal;

// Target number of fingerprints per directory slot: fewer cost memory, more cost comparisons.
constexpr std::size_t kDirectoryStretch = 8;
constexpr int kDirectoryBitsMaximum = 26;

// Directory slots with more fingerprints than this are narrowed to the whole key by binary search before comparing.
constexpr std::size_t kSearchAbove = 64;

}  // namespace

template <class Value>
Result<HammingTables<Value>> HammingTables<Value>::build(std::span<const Value> fingerprints,
                                                         const HammingDesign& design) {
  PARAPRINT_ASSIGN(std::vector<TableKey<Word>> keys, table_keys<Word>(design, fingerprints.size()));
  HammingTables result;
  result.distance_bits_ = design.distance_bits;
  for (TableKey<Word>& key : keys) {
    PermutedTable table;
    table.key = std::move(key);
    table.key_bits = std::min(table.key.permutation.key_bits, 64);
    fill(table, fingerprints);
    result.tables_.push_back(std::move(table));
  }
  return result;
}

template <class Value>
void HammingTables<Value>::fill(PermutedTable& table, std::span<const Value> fingerprints) {
  const std::vector<TableRecord<Word>> records = sorted_records(table.key, fingerprints);
  const std::size_t count = records.size();
  // The directory maps the leading bits to the first position: a counting pass, then prefix sums.
  const auto wanted = static_cast<int>(std::bit_width(count / kDirectoryStretch));
  table.directory_bits = std::clamp(wanted, 1, std::min(table.key_bits, kDirectoryBitsMaximum));
  table.directory.assign((std::size_t{1} << table.directory_bits) + 1, 0);
  table.high.assign(count + kScanPadding, 0);
  if constexpr (sizeof(Word) > sizeof(std::uint64_t)) table.low.assign(count + kScanPadding, 0);
  table.indices.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    table.high[i] = top_of(records[i].word);
    if constexpr (sizeof(Word) > sizeof(std::uint64_t)) table.low[i] = static_cast<std::uint64_t>(records[i].word);
    table.indices[i] = records[i].index;
    ++table.directory[static_cast<std::size_t>(table.high[i] >> (64 - table.directory_bits)) + 1];
  }
  for (std::size_t i = 1; i < table.directory.size(); ++i) table.directory[i] += table.directory[i - 1];
}

// The positions to compare with the query: those with its key, plus a few neighbours where comparing them is faster
// than searching. Neighbours cannot give false hits, since is_first_to_find() checks the whole key.
template <class Value>
typename HammingTables<Value>::Run HammingTables<Value>::run_of(const PermutedTable& table,
                                                                std::uint64_t permuted_high) {
  const auto slot = static_cast<std::size_t>(permuted_high >> (64 - table.directory_bits));
  const Run stretch{table.directory[slot], table.directory[slot + 1]};
  if (stretch.end - stretch.begin <= kSearchAbove) return stretch;
  const int shift = 64 - table.key_bits;
  const std::uint64_t lowest = permuted_high >> shift << shift;
  const std::uint64_t highest = lowest | (shift == 0 ? 0 : ~std::uint64_t{0} >> table.key_bits);
  const auto begin = table.high.begin() + static_cast<std::ptrdiff_t>(stretch.begin);
  const auto end = table.high.begin() + static_cast<std::ptrdiff_t>(stretch.end);
  const auto first = std::lower_bound(begin, end, lowest);
  return {static_cast<std::size_t>(first - table.high.begin()),
          static_cast<std::size_t>(std::upper_bound(first, end, highest) - table.high.begin())};
}

template <class Value>
HammingLookupStatistics HammingTables<Value>::find(const Value& query, std::vector<HammingHit>& hits) const {
  HammingLookupStatistics statistics;
  hits.clear();
  std::vector<std::uint32_t> places;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const PermutedTable& table = tables_[t];
    const Word permuted = table.key.permutation.permute(word_of(query));
    const Run run = run_of(table, top_of(permuted));
    statistics.comparisons += run.end - run.begin;
    // Compares whole permuted fingerprints: permuting bits does not change distances.
    places.clear();
    find_close_in_run({table.high.data() + run.begin, table.low.empty() ? nullptr : table.low.data() + run.begin,
                       run.end - run.begin},
                      {top_of(permuted), static_cast<std::uint64_t>(permuted)}, distance_bits_, places);
    for (const std::uint32_t place : places) {
      const std::size_t at = run.begin + place;
      Word found = table.high[at];
      if constexpr (sizeof(Word) > sizeof(std::uint64_t)) found = found << 64 | table.low[at];
      const Word difference = table.key.permutation.restore(permuted ^ found);
      if (is_first_to_find(tables_, t, difference)) hits.push_back({table.indices[at], count_bits(difference)});
    }
  }
  std::sort(hits.begin(), hits.end(), [](const HammingHit& a, const HammingHit& b) { return a.index < b.index; });
  return statistics;
}

template <class Value>
std::uint64_t HammingTables<Value>::memory_bytes() const {
  std::uint64_t bytes = 0;
  for (const PermutedTable& table : tables_) {
    bytes += (table.high.size() + table.low.size()) * sizeof(std::uint64_t) +
             (table.indices.size() + table.directory.size()) * sizeof(std::uint32_t);
  }
  return bytes;
}

template class HammingTables<std::uint64_t>;
template class HammingTables<Fingerprint128>;

}  // namespace paraprint::inline index
