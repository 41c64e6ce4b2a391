// How the bits of a fingerprint are cut into blocks, which blocks lead in which table, and which table reports a pair.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace paraprint::hamming_internal {

// Bits are numbered from the top: block 0 holds the most significant ones. Words are left-aligned: the top `bits` bits
// hold the value.
template <class Word>
struct BlockPlan {
  // A table: m-k chosen blocks, moved to the front in their order; the others follow in theirs.
  struct Table {
    struct Segment {        // neighbouring blocks that move together
      int shift_left = 0;   // towards the top
      int shift_right = 0;  // of the two one is 0
      Word mask = 0;        // in place before the move
    };
    std::uint32_t chosen = 0;  // bit b: block b
    int key_bits = 0;          // p: width of the chosen blocks together
    std::vector<Segment> segments;

    Word permute(Word value) const {
      Word result = 0;
      for (const Segment& segment : segments) {
        result |= (value & segment.mask) << segment.shift_left >> segment.shift_right;
      }
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
    // Choices in ascending order of their bit pattern; any fixed order would do.
    for (std::uint64_t chosen = 0; chosen < std::uint64_t{1} << block_count; ++chosen) {
      if (std::popcount(chosen) != chosen_count) continue;
      Table table;
      table.chosen = static_cast<std::uint32_t>(chosen);
      int target = 0;
      for (const bool leading : {true, false}) {
        for (int block = 0; block < block_count; ++block) {
          if ((chosen >> block & 1) != leading) continue;
          int last = block;
          while (last + 1 < block_count && (chosen >> (last + 1) & 1) == leading) ++last;
          const int move = begin[block] - target;
          table.segments.push_back({move > 0 ? move : 0, move < 0 ? -move : 0, mask_of(begin[block], begin[last + 1])});
          target += begin[last + 1] - begin[block];
          block = last;
        }
        if (leading) table.key_bits = target;
      }
      tables.push_back(std::move(table));
    }
  }

  // Whether `table` is the one that reports a pair whose values differ in `difference`: the chosen blocks have to be
  // the lowest m-k blocks without a difference. Every pair within k bits has exactly one such table.
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

}  // namespace paraprint::hamming_internal
