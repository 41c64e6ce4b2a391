// Sorted pairs of small integers, packed: (key, value), found by key or by a key with one bit flipped.
//
// The form of the index's search tables (docs/formats/index.md). A pair is key_bits + value_bits wide. The leading bits
// of the key, about log2(count / 8) of them, are not stored with the pair: they choose a bucket, and a directory says
// where each bucket begins. So a pair takes key_bits + value_bits - directory_bits bits, and doubling the number of
// pairs costs one bit more for the value and one less for the key: the size of a pair does not grow with the table.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "paraprint/result.h"

namespace paraprint {

struct PackedPair {
  std::uint64_t key = 0;
  std::uint32_t value = 0;
  friend auto operator<=>(const PackedPair&, const PackedPair&) = default;
};

struct PackedTableShape {
  std::uint64_t count = 0;  // of pairs, below 2^32
  int key_bits = 0;         // 1 to 40
  int value_bits = 0;       // 1 to 32
  int directory_bits = 0;   // 0 to min(key_bits, 28)

  int pair_bits() const { return key_bits - directory_bits + value_bits; }
  std::uint64_t pairs_bytes() const { return (count * static_cast<std::uint64_t>(pair_bits()) + 7) / 8 + 8; }
  std::uint64_t directory_bytes() const { return ((std::uint64_t{1} << directory_bits) + 1) * sizeof(std::uint32_t); }
  bool is_valid() const;
};

// The shape for about `count` pairs.
PackedTableShape choose_packed_shape(std::uint64_t count, int key_bits, int value_bits);

// Takes pairs in ascending order and gives the bytes. Memory: the directory and what take() has not taken yet.
class PackedTableBuilder {
 public:
  explicit PackedTableBuilder(const PackedTableShape& shape);
  void add(const PackedPair& pair);
  // The whole bytes packed so far, for writing; empties them.
  std::string take();
  // After the last add: the rest of the pairs' bytes (with 8 bytes of padding), then directory() and shape() are final.
  std::string finish();
  std::string_view directory() const;
  const PackedTableShape& shape() const { return shape_; }

 private:
  PackedTableShape shape_;
  std::vector<std::uint32_t> begins_;
  std::uint64_t next_bucket_ = 0;
  std::string bytes_;
  std::uint64_t pending_ = 0;  // bits not in bytes_ yet, lowest first
  int pending_bits_ = 0;
};

// Reads bytes of the builder, which must stay where they are. Thread-safe.
class PackedTable {
 public:
  PackedTable() = default;
  // kCorruptData when the directory contradicts the shape; `pairs` and `directory` must have the shape's sizes.
  static Result<PackedTable> create(const PackedTableShape& shape, const char* pairs, const char* directory);

  std::uint64_t size() const { return shape_.count; }
  const PackedTableShape& shape() const { return shape_; }

  // Calls visit(value) for the pairs whose key is `key`, ascending by value, until it answers false.
  template <class Visitor>
  void find(std::uint64_t key, Visitor&& visit) const {
    find_from(key, 0, visit);
  }
  // Without values below `first_value`.
  template <class Visitor>
  void find_from(std::uint64_t key, std::uint32_t first_value, Visitor&& visit) const {
    if (shape_.count == 0 || first_value > value_mask_) return;
    visit_equal(bucket_range(key >> rest_bits_), key & rest_mask_, visit, first_value);
  }
  // Before find() of several keys, one round after the other: their misses overlap.
  void prefetch_bucket(std::uint64_t key) const { __builtin_prefetch(directory_ + (key >> rest_bits_)); }
  void prefetch_pairs(std::uint64_t key) const {
    if (shape_.count > 0) __builtin_prefetch(pairs_ + directory_[key >> rest_bits_] * pair_bits_ / 8);
  }

  // Also for those whose key differs from `key` in one bit. `visit_key()` is called before each group of equal keys.
  template <class Starter, class Visitor>
  void find_within_one_bit(std::uint64_t key, Starter&& visit_key, Visitor&& visit) const {
    if (shape_.count == 0) return;
    const std::uint64_t home = key >> rest_bits_;
    const std::uint64_t rest = key & rest_mask_;
    const int directory_bits = shape_.directory_bits;
    // Two rounds of prefetching: where the buckets begin, then the buckets. The misses of a look-up overlap.
    for (int bit = 0; bit < directory_bits; ++bit) __builtin_prefetch(directory_ + (home ^ (std::uint64_t{1} << bit)));
    std::array<Range, kDirectoryBitsMaximum> ranges;
    const Range own = bucket_range(home);
    __builtin_prefetch(pairs_ + own.begin * pair_bits_ / 8);
    for (int bit = 0; bit < directory_bits; ++bit) {
      Range& range = ranges[static_cast<std::size_t>(bit)];
      range = bucket_range(home ^ (std::uint64_t{1} << bit));
      __builtin_prefetch(pairs_ + range.begin * pair_bits_ / 8);
    }
    visit_key();
    visit_equal(own, rest, visit);
    if (own.end - own.begin <= kScanMaximum) {
      // Other rests within one bit, one after the other in their order.
      std::uint64_t last = rest;
      bool goes_on = true;
      for (std::uint64_t at = own.begin; at < own.end; ++at) {
        const std::uint64_t pair = load(at);
        const std::uint64_t found = pair >> shape_.value_bits;
        if (found == rest || std::popcount(found ^ rest) != 1) continue;
        if (found != last) {
          visit_key();
          goes_on = true;
          last = found;
        }
        if (goes_on) goes_on = visit(static_cast<std::uint32_t>(pair & value_mask_));
      }
    } else {
      for (int bit = 0; bit < rest_bits_; ++bit) {
        visit_key();
        visit_equal(own, rest ^ (std::uint64_t{1} << bit), visit);
      }
    }
    for (int bit = 0; bit < directory_bits; ++bit) {
      const Range& range = ranges[static_cast<std::size_t>(bit)];
      if (range.begin == range.end) continue;
      visit_key();
      visit_equal(range, rest, visit);
    }
  }

  // All pairs in order, for merging and for tests.
  class Cursor {
   public:
    explicit Cursor(const PackedTable& table) : table_(&table) {}
    bool next(PackedPair& pair);

   private:
    const PackedTable* table_;
    std::uint64_t at_ = 0;
    std::uint64_t bucket_ = 0;
  };

  static constexpr int kDirectoryBitsMaximum = 28;

 private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  // Buckets above this are searched instead of scanned.
  static constexpr std::uint64_t kScanMaximum = 48;

  Range bucket_range(std::uint64_t bucket) const { return {directory_[bucket], directory_[bucket + 1]}; }

  std::uint64_t load(std::uint64_t at) const {
    const std::uint64_t bit = at * pair_bits_;
    const char* from = pairs_ + bit / 8;
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    const unsigned shift = bit % 8;
    word >>= shift;
    if (pair_bits_ + shift > 64) {  // wider than 57 bits and unlucky
      std::uint64_t above = static_cast<unsigned char>(from[8]);
      word |= above << (64 - shift);
    }
    return word & pair_mask_;
  }

  template <class Visitor>
  void visit_equal(Range range, std::uint64_t rest, Visitor&& visit, std::uint32_t first_value = 0) const {
    const std::uint64_t lowest = rest << shape_.value_bits | first_value;
    std::uint64_t at = range.begin;
    if (range.end - range.begin > kScanMaximum) {
      std::uint64_t end = range.end;
      while (at < end) {
        const std::uint64_t middle = (at + end) / 2;
        if (load(middle) < lowest) {
          at = middle + 1;
        } else {
          end = middle;
        }
      }
    }
    for (; at < range.end; ++at) {
      const std::uint64_t pair = load(at);
      if (pair < lowest) continue;
      if (pair >> shape_.value_bits != rest) return;
      if (!visit(static_cast<std::uint32_t>(pair & value_mask_))) return;
    }
  }

  PackedTableShape shape_;
  const char* pairs_ = nullptr;
  const std::uint32_t* directory_ = nullptr;
  std::uint64_t pair_bits_ = 0;
  int rest_bits_ = 0;
  std::uint64_t rest_mask_ = 0;
  std::uint64_t value_mask_ = 0;
  std::uint64_t pair_mask_ = 0;
};

}  // namespace paraprint
