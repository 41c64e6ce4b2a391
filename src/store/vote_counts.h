// Counts by hash value: an open-addressing hash table of twelve bytes per entry that grows by a third at a time,
// because there may be tens of millions of entries. Its keys may come from a forged file, so slots are seeded
// (memory/seeded_hash.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "memory/seeded_hash.h"

namespace paraprint::inline store {

// Not thread-safe, except that any number of threads may read.
class VoteCounts {
 public:
  std::size_t size() const { return size_; }

  // The count of `key`, or nullptr. Valid until the next add() or reserve().
  std::uint32_t* find(std::uint64_t key) {
    return const_cast<std::uint32_t*>(static_cast<const VoteCounts*>(this)->find(key));
  }
  const std::uint32_t* find(std::uint64_t key) const {
    if (size_ == 0) return nullptr;
    const std::size_t slot = slot_of(key);
    return counts_[slot] == 0 ? nullptr : &counts_[slot];
  }

  // Adds `key`, which must not be in the table. A count of 0 is ignored.
  void add(std::uint64_t key, std::uint32_t count) {
    if (count == 0) return;
    reserve(size_ + 1);
    put(key, count);
    ++size_;
  }

  // Reserves room for `size` counts in total, so that adding them does not grow the table step by step.
  void reserve(std::size_t size) {
    std::size_t slots = keys_.size();
    while (size * 4 > slots * 3) slots = slots == 0 ? kFirstSlots : slots / 3 * 4;
    if (slots > keys_.size()) grow(slots);
  }

  void clear() { *this = {}; }

  // In no particular order: it differs between processes.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> all() const {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> entries;
    entries.reserve(size_);
    for (std::size_t slot = 0; slot < keys_.size(); ++slot) {
      if (counts_[slot] != 0) entries.emplace_back(keys_[slot], counts_[slot]);
    }
    return entries;
  }

  std::uint64_t memory_bytes() const { return keys_.size() * (sizeof(std::uint64_t) + sizeof(std::uint32_t)); }

 private:
  static constexpr std::size_t kFirstSlots = 64;

  // The slot of `key`, or the empty slot for it.
  std::size_t slot_of(std::uint64_t key) const {
    __extension__ using Wide = unsigned __int128;
    auto slot = static_cast<std::size_t>(Wide{seeded_mix64(key, process_hash_seed())} * keys_.size() >> 64);
    while (counts_[slot] != 0 && keys_[slot] != key) slot = slot + 1 == keys_.size() ? 0 : slot + 1;
    return slot;
  }
  void put(std::uint64_t key, std::uint32_t count) {
    const std::size_t slot = slot_of(key);
    keys_[slot] = key;
    counts_[slot] = count;
  }
  void grow(std::size_t slots) {
    VoteCounts larger;
    larger.keys_.resize(slots);
    larger.counts_.resize(slots);
    for (const auto& [key, count] : all()) larger.put(key, count);
    keys_ = std::move(larger.keys_);
    counts_ = std::move(larger.counts_);
  }

  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> counts_;  // 0: the slot is empty
  std::size_t size_ = 0;
};

}  // namespace paraprint::inline store
