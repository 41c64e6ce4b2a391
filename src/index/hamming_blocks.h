// How the bits of a fingerprint are cut into blocks, which blocks lead in which table, and which table reports a pair
// (docs/algorithms/hamming.md). Shared by hamming_join.h and hamming_tables.h.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/hamming_join.h"
#include "paraprint/result.h"

namespace paraprint::inline index::hamming_internal {

// Bits are numbered from the most significant one: block 0 holds the top bits. Words are left-aligned: the top `bits`
// bits hold the value.
__extension__ using Word128 = unsigned __int128;

inline int count_bits(std::uint64_t word) {
  return std::popcount(word);
}
inline int count_bits(Word128 word) {
  return std::popcount(static_cast<std::uint64_t>(word >> 64)) + std::popcount(static_cast<std::uint64_t>(word));
}

// The binomial coefficient "from choose count", as a double because it may be large.
double choose(int from, int count);

// The number of key bits that spreads `count` fingerprints over buckets of a few dozen.
int wanted_key_bits(double count);

// Digits of a bucket's number: a table is partitioned by the first and then by the second half of the bits.
inline constexpr int kMaximumDigitBits = 11;  // 2048 partitions written in one pass: bounded by the L2 TLB

// The number of leading bits of a permuted word that select its bucket, in a table with `key_bits` bits of chosen
// blocks and in a join of `count` fingerprints: no longer than useful for this many, and at most two digits.
int bucket_bits(int key_bits, double count);

// The part (HammingPart) that a bucket belongs to: the number of its table, and the bits that select it.
std::uint32_t part_of_bucket(std::size_t table, std::uint64_t bucket, std::uint32_t parts);

// The cheapest number of blocks m > k for `count` fingerprints: tables * records * (table + bucket / 2 comparisons).
int choose_block_count(int bits, int distance_bits, double count);

// kInvalidArgument if the distance or the block count is out of range.
Status check_hamming_options(const HammingJoinOptions& options, int bits);

// Whether a bucket above the cap (hamming_join.h) is dense: at least one in eight pairs of a sample of 128 members is
// within the distance. `value_at(i)` returns the word of the i-th member. Members are sampled at even steps, so the
// answer is deterministic.
template <class ValueAt>
bool is_dense_bucket(std::size_t size, int distance_bits, ValueAt value_at) {
  constexpr std::size_t kSample = 128;
  constexpr std::size_t kDenseShare = 8;
  std::array<decltype(value_at(0)), kSample> sample{};
  const std::size_t count = std::min(size, kSample);
  for (std::size_t i = 0; i < count; ++i) sample[i] = value_at(i * size / count);
  std::size_t close = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) close += count_bits(sample[i] ^ sample[j]) <= distance_bits;
  }
  return close * kDenseShare >= count * (count - 1) / 2;
}

// How many of its successors each fingerprint in a dense bucket above the cap is compared with.
inline constexpr std::size_t kDenseReach = 64;

// Adds a bucket of `size` fingerprints that is searched with `reach` to the statistics.
void count_comparisons(std::size_t size, std::size_t reach, HammingJoinStatistics& statistics);

template <class Word>
Word rotate_left(Word value, int count) {
  constexpr int kWidth = static_cast<int>(sizeof(Word)) * 8;
  return count == 0 ? value : static_cast<Word>(value << count | value >> (kWidth - count));
}

template <class Word>
struct BlockPlan {
  // A table: the m-k chosen blocks are moved to the front in their order; the others follow, starting after the last
  // chosen one and wrapping around, so that a run of adjacent blocks needs a single rotation of the word.
  struct Table {
    struct Move {  // bits that the same rotation moves to their targets
      int rotation = 0;
      Word mask = 0;  // of the target bits
    };
    std::uint32_t chosen = 0;  // bit b: block b
    int key_bits = 0;          // p: width of the chosen blocks together
    std::vector<Move> moves;

    void add_move(int rotation, Word mask) {
      for (Move& move : moves) {
        if (move.rotation != rotation) continue;
        move.mask |= mask;
        return;
      }
      moves.push_back({rotation, mask});
    }
    Word permute(Word value) const {
      Word result = 0;
      for (const Move& move : moves) result |= rotate_left(value, move.rotation) & move.mask;
      return result;
    }
    Word restore(Word permuted) const {  // inverse of permute
      constexpr int kWidth = static_cast<int>(sizeof(Word)) * 8;
      Word result = 0;
      for (const Move& move : moves)
        result |= rotate_left(static_cast<Word>(permuted & move.mask), (kWidth - move.rotation) % kWidth);
      return result;
    }
  };

  std::vector<Word> masks;  // of the blocks
  std::vector<Table> tables;
  int chosen_count = 0;  // m - k

  BlockPlan(int bits, int distance_bits, int block_count) : chosen_count(block_count - distance_bits) {
    constexpr int kWidth = static_cast<int>(sizeof(Word)) * 8;
    std::vector<int> begin;
    for (int block = 0, at = 0; block < block_count; ++block) {
      begin.push_back(at);
      at += bits / block_count + (block < bits % block_count ? 1 : 0);  // larger blocks first
    }
    begin.push_back(bits);
    const auto mask_of = [&](int from, int to) {
      const Word ones = to - from == kWidth ? ~Word{0} : ((Word{1} << (to - from)) - 1);
      return static_cast<Word>(ones << (kWidth - to));
    };
    for (int block = 0; block < block_count; ++block) masks.push_back(mask_of(begin[block], begin[block + 1]));
    // All choices of m-k blocks, in ascending order of their bit masks. Any fixed order would do, but the numbers of
    // tables select the parts of a divided join (part_of_bucket).
    for (std::uint64_t chosen = 0; chosen < std::uint64_t{1} << block_count; ++chosen) {
      if (std::popcount(chosen) != chosen_count) continue;
      Table table;
      table.chosen = static_cast<std::uint32_t>(chosen);
      std::vector<int> order;
      for (int block = 0; block < block_count; ++block) {
        if (chosen >> block & 1) order.push_back(block);
      }
      for (int step = 1, last = order.back(); step <= block_count; ++step) {
        const int block = (last + step) % block_count;
        if ((chosen >> block & 1) == 0) order.push_back(block);
      }
      int target = 0;
      for (std::size_t place = 0; place < order.size(); ++place) {
        const int block = order[place];
        const int width = begin[block + 1] - begin[block];
        table.add_move((begin[block] - target + kWidth) % kWidth, mask_of(target, target + width));
        target += width;
        if (static_cast<int>(place) + 1 == chosen_count) table.key_bits = target;
      }
      tables.push_back(std::move(table));
    }
  }

  // Whether `table` is the one that reports a pair whose values differ in `difference`: its chosen blocks must be the
  // lowest m-k blocks without a difference. Every pair within k bits has exactly one such table.
  bool reports(const Table& table, Word difference) const {
    std::uint32_t lowest = 0;
    int found = 0;
    for (std::size_t block = 0; block < masks.size() && found < chosen_count; ++block) {
      if ((difference & masks[block]) != 0) continue;
      lowest |= std::uint32_t{1} << block;
      ++found;
    }
    return lowest == table.chosen;
  }
};

}  // namespace paraprint::inline index::hamming_internal
