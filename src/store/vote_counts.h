// Counts by hash value: an open hash table of twelve bytes an entry, grown by a third at a time, because there may be
// tens of millions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace paraprint {

// Keys must be as good as random.
class VoteCounts {
 public:
  std::size_t size() const { return size_; }

  // The count of `key`, or null. Valid until the next add().
  std::uint32_t* find(std::uint64_t key) {
    return const_cast<std::uint32_t*>(static_cast<const VoteCounts*>(this)->find(key));
  }
  const std::uint32_t* find(std::uint64_t key) const {
    if (size_ == 0) return nullptr;
    const std::size_t slot = slot_of(key);
    return counts_[slot] == 0 ? nullptr : &counts_[slot];
  }

  // `key` must not be there. A count of 0 is none.
  void add(std::uint64_t key, std::uint32_t count) {
    if (count == 0) return;
    reserve(size_ + 1);
    put(key, count);
    ++size_;
  }

  // For so many counts in all. Needed before keys are added in their order: they fill a table from its begin, and would
  // crowd there in one that is not as large as all of them need.
  void reserve(std::size_t size) {
    std::size_t slots = keys_.size();
    while (size * 4 > slots * 3) slots = slots == 0 ? kFirstSlots : slots / 3 * 4;
    if (slots > keys_.size()) grow(slots);
  }

  void clear() { *this = {}; }

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

  // Where `key` is, or the empty slot where it would be.
  std::size_t slot_of(std::uint64_t key) const {
    __extension__ using Wide = unsigned __int128;
    auto slot = static_cast<std::size_t>(Wide{key} * keys_.size() >> 64);
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

}  // namespace paraprint
