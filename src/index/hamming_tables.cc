// Designs, their search, and the sorted tables. A table stores the permuted fingerprints as two parallel arrays of
// 64-bit words because the vector scan reads them directly; the permutation is undone only for hits, whose exact
// difference decides which table reports them.
#include "index/hamming_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/hamming_scan.h"
#include "base/propagate.h"
#include "memory/radix_sort.h"

namespace paraprint::inline index {
namespace {

using namespace hamming_internal;

constexpr std::size_t kLevelsMaximum = 4;  // each level multiplies the number of tables by at least k + 1

// Cost of searching one table, in comparisons (measured: about 0.25 us of cache misses against 0.2 to 1 ns each).
constexpr double kSearchCost = 500;

// Target number of fingerprints per directory slot: fewer cost memory, more cost comparisons.
constexpr std::size_t kDirectoryStretch = 8;
constexpr int kDirectoryBitsMaximum = 26;

// Directory slots with more fingerprints than this are narrowed to the whole key by binary search before comparing.
constexpr std::size_t kSearchAbove = 64;

struct BitRange {
  int begin = 0;  // from the top of the fingerprint
  int width = 0;
};
using BitRanges = std::vector<BitRange>;

int width_of(const BitRanges& ranges) {
  int width = 0;
  for (const BitRange& range : ranges) width += range.width;
  return width;
}

// Cuts the ranges, in order, into `count` blocks of equal width, wider ones first. A block may span several ranges,
// because the bits left over by a level are not contiguous.
std::vector<BitRanges> cut(const BitRanges& ranges, int count) {
  const int bits = width_of(ranges);
  std::vector<BitRanges> blocks(static_cast<std::size_t>(count));
  std::size_t at = 0;
  int used = 0;  // of ranges[at]
  for (int block = 0; block < count; ++block) {
    int wanted = bits / count + (block < bits % count ? 1 : 0);
    while (wanted > 0) {
      const int taken = std::min(wanted, ranges[at].width - used);
      blocks[static_cast<std::size_t>(block)].push_back({ranges[at].begin + used, taken});
      wanted -= taken;
      used += taken;
      if (used == ranges[at].width) {
        ++at;
        used = 0;
      }
    }
  }
  return blocks;
}

struct Choice {
  BitRanges key;
  BitRanges rest;
};

// All choices of key bits of a design, level by level: each choice of one level is refined by all choices of the next.
std::vector<Choice> choices_of(const HammingDesign& design, int bits) {
  // Starts with no key bits and one block of all bits.
  std::vector<Choice> choices = {{{}, {{0, bits}}}};
  for (const int block_count : design.block_counts) {
    std::vector<Choice> narrower;
    for (const Choice& choice : choices) {
      const std::vector<BitRanges> blocks = cut(choice.rest, block_count);
      std::vector<bool> is_chosen(blocks.size(), false);
      // prev_permutation() visits all choices exactly once when it starts from the lexicographically largest one.
      std::fill(is_chosen.begin(), is_chosen.end() - design.distance_bits, true);
      do {
        Choice next{choice.key, {}};
        for (std::size_t block = 0; block < blocks.size(); ++block) {
          BitRanges& target = is_chosen[block] ? next.key : next.rest;
          target.insert(target.end(), blocks[block].begin(), blocks[block].end());
        }
        narrower.push_back(std::move(next));
      } while (std::prev_permutation(is_chosen.begin(), is_chosen.end()));
    }
    choices = std::move(narrower);
  }
  return choices;
}

Status check_distance(int distance_bits, int bits) {
  HammingJoinOptions options;
  options.distance_bits = distance_bits;
  return check_hamming_options(options, bits);
}

Status check_design(const HammingDesign& design, int bits) {
  PARAPRINT_TRY(check_distance(design.distance_bits, bits));
  if (design.block_counts.empty() || design.block_counts.size() > kLevelsMaximum) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("Hamming tables with {} levels; expected 1 to {}",
                                                            design.block_counts.size(), kLevelsMaximum));
  }
  double tables = 1;
  int left = bits;
  for (const int blocks : design.block_counts) {
    if (blocks <= design.distance_bits || blocks > left) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("{} blocks of {} bits for a Hamming distance of {}; expected {} to {} blocks", blocks,
                                 left, design.distance_bits, design.distance_bits + 1, left));
    }
    tables *= choose(blocks, design.distance_bits);
    // A choice of the widest blocks leaves the fewest bits to the next level: k of the narrowest blocks.
    left = left / blocks * design.distance_bits;
  }
  if (tables <= static_cast<double>(kHammingTablesMaximum)) return {};
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("the design needs {} Hamming tables; the limit is {}", tables, kHammingTablesMaximum));
}

// Exhaustive depth-first search over all designs within the table limit, which keeps the search small. There always is
// one: k + 1 blocks need k + 1 tables.
class DesignSearch {
 public:
  DesignSearch(int distance_bits, double count) : distance_bits_(distance_bits), count_(count) {}

  // Tries every further level after `levels`, which give `tables` tables with at least `key_bits` key bits and leave at
  // most `bits_left` bits. The cost is that of the narrowest key, an upper bound.
  void extend(std::vector<int>& levels, double tables, int key_bits, int bits_left) {
    if (levels.size() == kLevelsMaximum) return;
    for (int blocks = distance_bits_ + 1; blocks <= bits_left; ++blocks) {
      const double more = tables * choose(blocks, distance_bits_);
      if (more > static_cast<double>(kHammingTablesMaximum)) return;
      const int rest = std::min(bits_left, (bits_left + blocks - 1) / blocks * distance_bits_);
      const int key = key_bits + bits_left - rest;
      levels.push_back(blocks);
      const double cost = more * (kSearchCost + count_ / std::exp2(key));
      if (cost < best_cost_) {
        best_cost_ = cost;
        best_ = levels;
      }
      extend(levels, more, key, rest);
      levels.pop_back();
      if (distance_bits_ == 0) return;  // one table of all bits, whatever the blocks
    }
  }
  const std::vector<int>& best() const { return best_; }

 private:
  int distance_bits_;
  double count_;
  double best_cost_ = std::numeric_limits<double>::infinity();
  std::vector<int> best_;
};

std::uint64_t top_of(std::uint64_t word) {
  return word;
}
std::uint64_t top_of(Word128 word) {
  return static_cast<std::uint64_t>(word >> 64);
}
std::uint64_t word_of(std::uint64_t value) {
  return value;
}
Word128 word_of(const Fingerprint128& value) {
  return Word128{value.high} << 64 | value.low;
}

// Bits [begin, begin + width) from the top of the word.
template <class Word>
Word mask_of(const BitRange& range) {
  constexpr int kWidth = static_cast<int>(sizeof(Word)) * 8;
  const Word ones = range.width == kWidth ? ~Word{0} : (Word{1} << range.width) - 1;
  return static_cast<Word>(ones << (kWidth - range.begin - range.width));
}

template <class Word>
typename BlockPlan<Word>::Table permutation_of(const Choice& choice) {
  constexpr int kWidth = static_cast<int>(sizeof(Word)) * 8;
  typename BlockPlan<Word>::Table permutation;
  int target = 0;
  for (const BitRanges* ranges : {&choice.key, &choice.rest}) {
    for (const BitRange& range : *ranges) {
      permutation.add_move((range.begin - target + kWidth) % kWidth, mask_of<Word>({target, range.width}));
      target += range.width;
    }
  }
  permutation.key_bits = width_of(choice.key);
  return permutation;
}

template <class Word>
struct Record {
  Word word = 0;
  std::uint32_t index = 0;
  friend bool operator<(const Record& a, const Record& b) {
    return a.word != b.word ? a.word < b.word : a.index < b.index;
  }
};

}  // namespace

// Counts the choices instead of computing with binomials, because key widths differ between tables.
Result<HammingDesignShape> shape_of(const HammingDesign& design, int bits) {
  PARAPRINT_TRY(check_design(design, bits));
  HammingDesignShape shape;
  shape.key_bits_minimum = bits;
  for (const Choice& choice : choices_of(design, bits)) {
    ++shape.tables;
    shape.key_bits_minimum = std::min(shape.key_bits_minimum, width_of(choice.key));
    shape.key_bits_maximum = std::max(shape.key_bits_maximum, width_of(choice.key));
  }
  return shape;
}

Result<HammingDesign> choose_hamming_design(int bits, int distance_bits, double count) {
  PARAPRINT_TRY(check_distance(distance_bits, bits));
  DesignSearch search(distance_bits, count);
  std::vector<int> levels;
  search.extend(levels, 1, 0, bits);
  return HammingDesign{distance_bits, search.best()};
}

template <class Value>
Result<HammingTables<Value>> HammingTables<Value>::build(std::span<const Value> fingerprints,
                                                         const HammingDesign& design) {
  constexpr int kBits = TableTraits<Value>::kBits;
  PARAPRINT_TRY(check_design(design, kBits));
  if (fingerprints.size() >= std::numeric_limits<std::uint32_t>::max()) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("{} fingerprints in Hamming tables; the limit is 2^32 - 2", fingerprints.size()));
  }
  HammingTables result;
  result.distance_bits_ = design.distance_bits;
  for (const Choice& choice : choices_of(design, kBits)) {
    PermutedTable table;
    table.permutation = permutation_of<Word>(choice);
    for (const BitRange& range : choice.key) table.key_mask |= mask_of<Word>(range);
    table.key_bits = std::min(table.permutation.key_bits, 64);
    fill(table, fingerprints);
    result.tables_.push_back(std::move(table));
  }
  return result;
}

template <class Value>
void HammingTables<Value>::fill(PermutedTable& table, std::span<const Value> fingerprints) {
  std::vector<Record<Word>> records;
  records.reserve(fingerprints.size());
  for (const Value& value : fingerprints) {
    records.push_back({table.permutation.permute(word_of(value)), static_cast<std::uint32_t>(records.size())});
  }
  // Ties in the top 64 bits are broken by the comparison of the whole word, then by index: deterministic.
  radix_sort(std::span(records), [](const Record<Word>& record) { return top_of(record.word); });
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

// Several tables can find the same fingerprint; only the first table whose whole key agrees reports it.
template <class Value>
bool HammingTables<Value>::is_first_to_find(std::size_t table, Word difference) const {
  if ((difference & tables_[table].key_mask) != 0) return false;
  for (std::size_t before = 0; before < table; ++before) {
    if ((difference & tables_[before].key_mask) == 0) return false;
  }
  return true;
}

template <class Value>
HammingLookupStatistics HammingTables<Value>::find(const Value& query, std::vector<HammingHit>& hits) const {
  HammingLookupStatistics statistics;
  hits.clear();
  std::vector<std::uint32_t> places;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const PermutedTable& table = tables_[t];
    const Word permuted = table.permutation.permute(word_of(query));
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
      // In the original order of bits, where the key masks of all tables apply.
      const Word difference = table.permutation.restore(permuted ^ found);
      if (is_first_to_find(t, difference)) hits.push_back({table.indices[at], count_bits(difference)});
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
