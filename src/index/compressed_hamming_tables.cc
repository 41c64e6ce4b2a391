// A lookup decodes the blocks that can contain the key of the query, and compares all of their fingerprints up to the
// end of the key: the few before it cost less than finding its beginning.
#include "index/compressed_hamming_tables.h"

#include <algorithm>

#include "base/assert.h"
#include "base/hamming_scan.h"
#include "base/propagate.h"

namespace paraprint::inline index {
namespace {

using namespace hamming_internal;

template <class Word>
Word word_at(const WordColumns& words, std::size_t place) {
  if constexpr (sizeof(Word) > sizeof(std::uint64_t)) return Word{words.high[place]} << 64 | words.low[place];
  return words.high[place];
}

}  // namespace

// Reused by the tables of one lookup.
template <class Value>
struct CompressedHammingTables<Value>::LookupBuffers {
  WordColumns run;
  WordColumns block;  // of the first table
  std::vector<std::uint32_t> places;
};

template <class Value>
Result<CompressedHammingTables<Value>> CompressedHammingTables<Value>::build(std::span<const Value> fingerprints,
                                                                             const HammingDesign& design) {
  PARAPRINT_ASSIGN(std::vector<TableKey<Word>> keys, table_keys<Word>(design, fingerprints.size()));
  CompressedHammingTables result;
  result.distance_bits_ = design.distance_bits;
  for (TableKey<Word>& key : keys) {
    const std::vector<TableRecord<Word>> records = sorted_records(key, fingerprints);
    std::vector<Word> words;
    words.reserve(records.size());
    for (const TableRecord<Word>& record : records) {
      if (words.empty() || words.back() != record.word) words.push_back(record.word);
    }
    if (result.tables_.empty()) result.number_fingerprints(records);
    result.tables_.push_back({std::move(key), SortedWordBlocks<Word>(words)});
  }
  return result;
}

template <class Value>
void CompressedHammingTables<Value>::number_fingerprints(std::span<const TableRecord<Word>> records) {
  indices_.reserve(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i == 0 || records[i].word != records[i - 1].word) first_indices_.push_back(static_cast<std::uint32_t>(i));
    indices_.push_back(records[i].index);
  }
  if (first_indices_.size() == records.size()) {
    first_indices_.clear();
    first_indices_.shrink_to_fit();
    return;
  }
  first_indices_.push_back(static_cast<std::uint32_t>(records.size()));
}

template <class Value>
void CompressedHammingTables<Value>::report(Word value, int distance_bits, LookupBuffers& buffers,
                                            std::vector<HammingHit>& hits) const {
  const CompressedTable& table = tables_.front();
  const Word word = table.key.permutation.permute(value);
  const std::size_t block = table.blocks.block_of(word);
  buffers.block.size = 0;
  table.blocks.append_block(block, word, buffers.block);
  PARAPRINT_ASSERT(buffers.block.size > 0 && word_at<Word>(buffers.block, buffers.block.size - 1) == word);
  const std::size_t place = table.blocks.first_place(block) + buffers.block.size - 1;
  const std::size_t begin = first_indices_.empty() ? place : first_indices_[place];
  const std::size_t end = first_indices_.empty() ? place + 1 : first_indices_[place + 1];
  for (std::size_t i = begin; i < end; ++i) hits.push_back({indices_[i], distance_bits});
}

template <class Value>
HammingLookupStatistics CompressedHammingTables<Value>::find(const Value& query, std::vector<HammingHit>& hits) const {
  HammingLookupStatistics statistics;
  hits.clear();
  LookupBuffers buffers;
  WordColumns& run = buffers.run;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const CompressedTable& table = tables_[t];
    const Word permuted = table.key.permutation.permute(word_of(query));
    const Word rest_mask = table.key.permutation.permute(~table.key.mask);
    const Word highest = permuted | rest_mask;
    run.size = 0;
    for (std::size_t block = table.blocks.block_of(permuted & ~rest_mask); block < table.blocks.block_count();
         ++block) {
      table.blocks.append_block(block, highest, run);
      if (table.blocks.last_word(block) >= highest) break;
    }
    statistics.comparisons += run.size;
    // Compares whole permuted fingerprints: permuting bits does not change distances.
    buffers.places.clear();
    find_close_in_run({run.high.data(), run.low.empty() ? nullptr : run.low.data(), run.size},
                      {top_of(permuted), static_cast<std::uint64_t>(permuted)}, distance_bits_, buffers.places);
    for (const std::uint32_t place : buffers.places) {
      const Word found = word_at<Word>(run, place);
      const Word difference = table.key.permutation.restore(permuted ^ found);
      if (!is_first_to_find(tables_, t, difference)) continue;
      report(word_of(query) ^ difference, count_bits(difference), buffers, hits);
    }
  }
  std::sort(hits.begin(), hits.end(), [](const HammingHit& a, const HammingHit& b) { return a.index < b.index; });
  return statistics;
}

template <class Value>
std::uint64_t CompressedHammingTables<Value>::memory_bytes() const {
  std::uint64_t bytes = (indices_.size() + first_indices_.size()) * sizeof(std::uint32_t);
  for (const CompressedTable& table : tables_) bytes += table.blocks.memory_bytes();
  return bytes;
}

template class CompressedHammingTables<std::uint64_t>;
template class CompressedHammingTables<Fingerprint128>;

}  // namespace paraprint::inline index
