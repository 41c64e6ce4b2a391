// An in-memory hash table of fingerprint numbers, searched by one 32-bit block of the fingerprint, exactly or within
// one bit. One thread adds while any number of threads search, without locks.
//
// The leading bits of a block choose a line of 64 bytes (a cache line) with room for 15 entries. An entry combines the
// next bits of the block with the fingerprint's number, so kDecidedBits of a block are compared without reading the
// fingerprint itself. Only a flip of a leading bit leads to a different line. Full lines are continued in overflow
// lines.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/prefetch.h"
#include "store/search_keys.h"
#include "store/zeroed_array.h"

namespace paraprint::inline store {

class BlockLines {
 public:
  // For numbers from 1 to `capacity`, each added once.
  explicit BlockLines(std::uint32_t capacity)
      : number_bits_(std::max(kNumberBitsMinimum, static_cast<int>(std::bit_width(capacity)))),
        chosen_bits_(kDecidedBits + number_bits_ - kBlockBits),
        free_line_(std::uint32_t{1} << chosen_bits_),
        memory_(zeroed_array<std::byte>((std::size_t{free_line_} + capacity / kEntries + 2) * sizeof(Line))) {
    static_assert(sizeof(Line) == 64);
    void* begin = memory_.get();
    std::size_t room = (std::size_t{free_line_} + 1) * sizeof(Line);
    lines_ = static_cast<Line*>(std::align(alignof(Line), sizeof(Line), begin, room));
  }

  // One thread at a time. The fingerprint of `number` must already be readable, because searching threads may see the
  // entry at once. A full line links to its newest overflow line, and that to the older ones.
  void add(std::uint32_t block, std::uint32_t number) {
    const std::uint32_t entry = entry_of(block) | number;
    Line& home = lines_[line_of(block)];
    if (append(home, entry)) return;
    const std::uint32_t next = home.next.load(std::memory_order_relaxed);
    if (next != 0 && append(lines_[next], entry)) return;
    Line& line = lines_[free_line_];
    line.entries[0].store(entry, std::memory_order_relaxed);
    line.next.store(next, std::memory_order_relaxed);
    home.next.store(free_line_++, std::memory_order_release);
  }

  void prefetch_line(std::uint32_t block) const { prefetch(&lines_[line_of(block)]); }
  void prefetch_lines_within_one_bit(std::uint32_t block) const {
    prefetch_line(block);
    for (int bit = 0; bit < chosen_bits_; ++bit) prefetch_line(flipped(block, bit));
  }

  // Calls visit(number) for entries that agree in kDecidedBits of the block, until it returns false. Asks
  // may_read_on(lines) after the line of the block and each overflow line, with their number so far.
  template <class Visitor, class Gate>
  void find(std::uint32_t block, Visitor&& visit, Gate&& may_read_on) const {
    const std::uint32_t wanted = entry_of(block);
    visit_line(
        block, [&](std::uint32_t entry) { return (entry ^ wanted) >> number_bits_ == 0; }, visit, may_read_on);
  }
  // Also visits entries that differ in one of these bits. Calls visit_line_of() before each line that is chosen.
  template <class Starter, class Visitor, class Gate>
  void find_within_one_bit(std::uint32_t block, Starter&& visit_line_of, Visitor&& visit, Gate&& may_read_on) const {
    const std::uint32_t wanted = entry_of(block);
    visit_line_of();
    visit_line(
        block,
        [&](std::uint32_t entry) {
          const std::uint32_t different = (entry ^ wanted) >> number_bits_;
          return (different & (different - 1)) == 0;
        },
        visit, may_read_on);
    for (int bit = 0; bit < chosen_bits_; ++bit) {
      visit_line_of();
      find(flipped(block, bit), visit, may_read_on);
    }
  }

  // Estimated resident memory: each random line touches about one memory page, until all pages are touched.
  std::uint64_t used_bytes(std::uint64_t entries) const {
    const std::uint64_t lines = std::uint64_t{1} << chosen_bits_;
    const std::uint64_t further = free_line_.load(std::memory_order_relaxed) - lines;
    return std::min<std::uint64_t>(entries * kPageBytes, lines * sizeof(Line)) + further * sizeof(Line);
  }

 private:
  static constexpr int kDecidedBits = 27;
  static constexpr int kNumberBitsMinimum = 10;
  static constexpr std::size_t kEntries = 15;
  static constexpr std::uint64_t kPageBytes = 4096;
  struct alignas(64) Line {
    std::array<std::atomic<std::uint32_t>, kEntries> entries;  // ends at the first 0
    std::atomic<std::uint32_t> next;                           // 0: none; of an overflow line: the one added before it
  };

  std::uint32_t line_of(std::uint32_t block) const { return block >> (kBlockBits - chosen_bits_); }
  // The entry of a block, with 0 for the number.
  std::uint32_t entry_of(std::uint32_t block) const { return block << chosen_bits_ >> number_bits_ << number_bits_; }
  // Flips a bit that chooses the line, counted from the top.
  static std::uint32_t flipped(std::uint32_t block, int bit) { return block ^ (std::uint32_t{1} << (31 - bit)); }

  static bool append(Line& line, std::uint32_t entry) {
    for (std::atomic<std::uint32_t>& slot : line.entries) {
      if (slot.load(std::memory_order_relaxed) != 0) continue;
      slot.store(entry, std::memory_order_release);
      return true;
    }
    return false;
  }

  template <class Condition, class Visitor, class Gate>
  void visit_line(std::uint32_t block, Condition&& agrees, Visitor&& visit, Gate&& may_read_on) const {
    const std::uint32_t number_mask = (std::uint32_t{1} << number_bits_) - 1;
    const Line* line = &lines_[line_of(block)];
    for (std::uint32_t lines = 1;; ++lines) {
      for (const std::atomic<std::uint32_t>& slot : line->entries) {
        const std::uint32_t entry = slot.load(std::memory_order_acquire);
        if (entry == 0) break;
        if (agrees(entry) && !visit(entry & number_mask)) return;
      }
      const std::uint32_t next = line->next.load(std::memory_order_acquire);
      if (next == 0 || !may_read_on(lines)) return;
      line = &lines_[next];
    }
  }

  int number_bits_;
  int chosen_bits_;
  std::atomic<std::uint32_t> free_line_;  // written only by the adding thread
  ZeroedArray<std::byte> memory_;
  Line* lines_;
};

}  // namespace paraprint::inline store
