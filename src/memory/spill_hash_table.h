// A hash table on a SpillArray, from keys that are 64-bit hashes or start with one to unsigned numbers.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/propagate.h"
#include "memory/seeded_hash.h"
#include "memory/spill_array.h"

namespace paraprint::inline memory {

// The part of a key that determines its slot.
inline std::uint64_t placing_bits(std::uint64_t key) {
  return key;
}
template <std::size_t kWords>
std::uint64_t placing_bits(const std::array<std::uint64_t, kWords>& key) {
  return key[0];
}

// Open addressing with a load factor of at most two thirds. The slot of a key is given by the top bits of its hash, so
// growing writes the new table from front to back, which suits a table on disk. The hash is seeded per process, so the
// order of for_each() differs between processes. `Value` is unsigned; 0 marks a free slot, so stored values must be
// greater than 0. Not thread-safe.
template <class Key, class Value>
class SpillHashTable {
 public:
  explicit SpillHashTable(MemoryBudget* budget) : slots_(budget) {}

  std::size_t size() const { return size_; }

  // The value of `key`, initialised to `initial` if the key is new. The pointer is valid until the next call. Errors:
  // those of SpillArray.
  Result<Value*> find_or_add(const Key& key, Value initial) {
    if ((size_ + 1) * 3 > slots_.size() * 2) {
      PARAPRINT_TRY(grow());
    }
    tick(slots_.budget());
    Slot& slot = slots_[place(slots_, key)];
    if (slot.value == 0) {
      slot = {key, initial};
      ++size_;
    }
    return &slot.value;
  }

  // 0 if the key is absent.
  Value find(const Key& key) const {
    if (slots_.empty()) return 0;
    tick(slots_.budget());
    return slots_[place(slots_, key)].value;
  }

  // In an order that no result may depend on.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.value != 0) visit(slot.key, slot.value);
    }
  }

  void release() {
    slots_.release();
    size_ = 0;
  }

 private:
  struct Slot {
    Key key{};
    Value value = 0;
  };
  static constexpr std::size_t kFirstSlots = 1024;

  // The slot of `key`, or the free slot where it belongs.
  std::size_t place(const SpillArray<Slot>& slots, const Key& key) const {
    const std::size_t mask = slots.size() - 1;
    const int shift = 64 - std::countr_zero(slots.size());
    for (std::size_t at = seeded_mix64(placing_bits(key), seed_) >> shift;; at = (at + 1) & mask) {
      if (slots[at].value == 0 || slots[at].key == key) return at;
    }
  }

  Status grow() {
    SpillArray<Slot> grown(slots_.budget());
    PARAPRINT_TRY(grown.assign(slots_.empty() ? kFirstSlots : slots_.size() * 2, Slot{}));
    for (const Slot& slot : slots_) {
      tick(slots_.budget());
      if (slot.value != 0) grown[place(grown, slot.key)] = slot;
    }
    slots_ = std::move(grown);
    return {};
  }

  SpillArray<Slot> slots_;
  std::size_t size_ = 0;
  HashSeed seed_ = process_hash_seed();
};

}  // namespace paraprint::inline memory
