// Sorted (key, value) pairs of small integers in packed form, searched by key or by keys that differ in one bit.
//
// This is the Elias-Fano encoding used for the index's search tables (docs/formats/index.md). A pair is a number with
// its key above its value. The leading bits of the number, about log2(count) of them, are not stored with the pair:
// they select a bucket of one or two pairs, and a bitmap stores the size of each bucket in unary. A pair takes about
// key_bits + value_bits - log2(count) + 3 bits, one of them for the directory of every 16 buckets; the lower bound for
// any encoding has 1.4 instead of 3. Doubling the number of pairs costs one more bit for the value and one less for the
// key, so the size of a pair does not grow with the table.
//
// A lookup reads about a hundred unrelated buckets. Their content is unpredictable, so the code for a bucket avoids
// branches that depend on it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/bit_select.h"
#include "base/prefetch.h"
#include "paraprint/result.h"

namespace paraprint::inline store {

struct PackedPair {
  std::uint64_t key = 0;
  std::uint32_t value = 0;
  friend auto operator<=>(const PackedPair&, const PackedPair&) = default;
};

inline constexpr std::size_t kPackedPaddingBytes = 32;
inline constexpr int kBucketBitsMaximum = 31;

struct PackedTableShape {
  std::uint64_t count = 0;  // number of pairs, below 2^32
  int key_bits = 0;         // 1 to 40
  int value_bits = 0;       // 1 to 32
  int bucket_bits = 0;      // 0 to 31, at most key_bits + value_bits

  // Bits of a pair that are stored: at most 57.
  int rest_bits() const { return key_bits + value_bits - bucket_bits; }
  // Padded, because several pairs are read at once.
  std::uint64_t pairs_bytes() const {
    return (count * static_cast<std::uint64_t>(rest_bits()) + 7) / 8 + kPackedPaddingBytes;
  }
  std::uint64_t buckets() const { return std::uint64_t{1} << bucket_bits; }
  std::uint64_t groups() const { return (buckets() + 63) / 64; }
  // The directory: one entry per group of 64 buckets and one for the end, then the bitmap and a word of zeros.
  std::uint64_t groups_bytes() const { return (groups() + 1) * 8; }
  std::uint64_t bitmap_words() const { return (1 + count + buckets() + 63) / 64 + 1; }
  std::uint64_t directory_bytes() const { return groups_bytes() + bitmap_words() * 8; }
  bool is_valid() const;
};

// A suitable shape for about `count` pairs.
PackedTableShape choose_packed_shape(std::uint64_t count, int key_bits, int value_bits);

// The directory entry of 64 buckets, in four parts of 16.
struct BucketGroup {
  std::uint32_t first_pair = 0;
  // Pairs before each part, counted from first_pair; 255 means 255 or more.
  std::array<std::uint8_t, 4> before{};
};
static_assert(sizeof(BucketGroup) == 8);

// Encodes pairs given in ascending order. Memory: the directory, and the bytes not yet removed by take().
class PackedTableBuilder {
 public:
  explicit PackedTableBuilder(const PackedTableShape& shape);
  void add(const PackedPair& pair);
  // Returns and removes the complete bytes packed so far.
  std::string take();
  // Call after the last add(). Returns the remaining bytes of pairs including padding; directory() and shape() are
  // final afterwards.
  std::string finish();
  std::string_view directory() const { return directory_; }
  const PackedTableShape& shape() const { return shape_; }

 private:
  PackedTableShape shape_;
  std::vector<std::uint32_t> starts_;  // first pair of every 16 buckets
  std::uint64_t next_sixteen_ = 0;
  std::vector<std::uint64_t> bitmap_;
  std::string directory_;
  std::string bytes_;
  std::uint64_t pending_ = 0;  // bits not yet in bytes_, lowest first
  int pending_bits_ = 0;
};

// Reads the bytes made by the builder in place; they must outlive it. Thread-safe.
class PackedTable {
 public:
  PackedTable() = default;
  // `pairs` and `directory` must have the sizes given by the shape, and `directory` must be aligned to 8 bytes. Errors:
  // kCorruptData if the shape is invalid or the directory inconsistent. A table that was created is safe to search.
  static Result<PackedTable> create(const PackedTableShape& shape, const char* pairs, const char* directory);

  std::uint64_t size() const { return shape_.count; }
  const PackedTableShape& shape() const { return shape_; }

  // A range of pairs by position.
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t count = 0;
  };

  // Calls visit(value) for the pairs with `key`, ascending by value, until it returns false.
  template <class Visitor>
  void find(std::uint64_t key, Visitor&& visit) const {
    find_from(key, 0, visit);
  }
  // The same, skipping values below `first_value`.
  template <class Visitor>
  void find_from(std::uint64_t key, std::uint32_t first_value, Visitor&& visit) const {
    if (shape_.count == 0 || first_value > value_mask_) return;
    if (spans_buckets()) {
      visit_spanned(key, first_value, visit);
    } else {
      visit_equal(bucket_range(bucket_of(key)), key, visit, first_value);
    }
  }
  // Call these three in order for a batch of keys before find(), so that the cache misses of the keys overlap.
  void prefetch_bucket(std::uint64_t key) const { prefetch(groups_ + bucket_of(key) / 64); }
  void prefetch_bitmap_of(std::uint64_t key) const { prefetch_bitmap(bucket_of(key)); }
  void prefetch_pairs(std::uint64_t key) const { prefetch_range(bucket_range(bucket_of(key))); }

  // A search for a key and all keys that differ from it in one bit, in four steps. Each step prefetches the input of
  // the next one, so the cache misses of several interleaved searches overlap.
  class NearProbe {
    friend class PackedTable;
    std::uint64_t key_ = 0;
    Range own_;
    std::array<Range, kBucketBitsMaximum> flipped_;
  };
  void begin_near(std::uint64_t key, NearProbe& probe) const {
    probe.key_ = key;
    const std::uint64_t home = bucket_of(key);
    for (int bit = kGroupBits; bit < near_flips(); ++bit) {
      prefetch(groups_ + ((home ^ std::uint64_t{1} << bit) >> kGroupBits));
    }
    prefetch(groups_ + (home >> kGroupBits));
  }
  void prefetch_near_bitmaps(const NearProbe& probe) const {
    const std::uint64_t home = bucket_of(probe.key_);
    prefetch_bitmap(home);
    for (int bit = kGroupBits; bit < near_flips(); ++bit) prefetch_bitmap(home ^ std::uint64_t{1} << bit);
  }
  void prefetch_near_pairs(NearProbe& probe) const {
    const std::uint64_t home = bucket_of(probe.key_);
    probe.own_ = bucket_range(home);
    prefetch_range(probe.own_);
    for (int bit = 0; bit < near_flips(); ++bit) {
      Range& range = probe.flipped_[static_cast<std::size_t>(bit)];
      range = bucket_range(home ^ std::uint64_t{1} << bit);
      prefetch_range(range);
    }
  }
  // Calls visit(value) like find() for each of the keys, and visit_key() before each group of equal keys.
  template <class Starter, class Visitor>
  void visit_near(const NearProbe& probe, Starter&& visit_key, Visitor&& visit) const {
    if (shape_.count == 0) return;
    if (spans_buckets()) {
      find_flipped(probe.key_, shape_.key_bits, visit_key, visit);
      return;
    }
    if (probe.own_.count <= kScanMaximum) {
      visit_key();
      visit_equal(probe.own_, probe.key_, visit, 0);
      visit_near_in_bucket(probe.own_, probe.key_, visit_key, visit);
    } else {
      find_flipped(probe.key_, shape_.key_bits - near_flips(), visit_key, visit);
    }
    for (int bit = 0; bit < near_flips(); ++bit) {
      visit_key();
      visit_equal(probe.flipped_[static_cast<std::size_t>(bit)], probe.key_, visit, 0);
    }
  }

  // Iterates over all pairs in order, for merging and for tests.
  class Cursor {
   public:
    explicit Cursor(const PackedTable& table) : table_(&table) {}
    bool next(PackedPair& pair);

   private:
    const PackedTable* table_;
    std::uint64_t at_ = 0;
    std::uint64_t bucket_ = 0;
  };

 private:
  // Larger buckets are searched by bisection instead of scanned.
  static constexpr std::uint64_t kScanMaximum = 48;
  // Buckets up to this size are compared without branches.
  static constexpr std::uint64_t kAtOnceMaximum = 4;
  static constexpr int kGroupBits = 6;
  static constexpr std::uint64_t kSixteen = 16;
  // From this many pairs on, the zeros of a group of 64 buckets are noted when a table is opened: anyone can make
  // thousands of fingerprints for a group, whose ones would be counted for each search.
  static constexpr std::uint64_t kCrowdedPairs = 1024;
  struct CrowdedGroup {
    std::uint64_t group = 0;
    std::array<std::uint64_t, 65> zeros{};  // before each bucket and after the last one
  };

  bool is_consistent() const;
  // Whether a key has several buckets, distinguished by the leading bits of the value.
  bool spans_buckets() const { return shape_.bucket_bits > shape_.key_bits; }
  // The number of bits of a bucket's number that are flipped to find near keys.
  int near_flips() const { return spans_buckets() ? 0 : shape_.bucket_bits; }
  // The first bucket of the key.
  std::uint64_t bucket_of(std::uint64_t key) const { return key << key_shift_left_ >> key_shift_right_; }

  // The position of the zero before the 16 buckets that include this one. Wrong if `before` is 255; bucket_range()
  // checks that.
  std::uint64_t zero_before_sixteen(std::uint64_t bucket) const {
    const BucketGroup& group = groups_[bucket >> kGroupBits];
    return group.first_pair + group.before[bucket / kSixteen % 4] + (bucket & ~(kSixteen - 1));
  }
  Range bucket_range(std::uint64_t bucket) const {
    const std::uint64_t rank = bucket % kSixteen;
    const std::uint64_t bit = zero_before_sixteen(bucket);
    const std::uint64_t zeros = ~bits_from(bitmap_, bit);
    const std::uint64_t sums = set_bits_up_to_byte(zeros);
    if (groups_[bucket >> kGroupBits].before[bucket / kSixteen % 4] == 255 || sums >> 56 <= rank) {
      return large_bucket_range(bucket);
    }
    const unsigned place = select_in_word(zeros, sums, static_cast<unsigned>(rank));
    const std::uint64_t behind = zeros >> place >> 1;
    if (behind == 0) return large_bucket_range(bucket);
    return {bit + place - bucket, static_cast<unsigned>(std::countr_zero(behind))};
  }
  // The slow path, if 16 buckets have more pairs than fit a word of the bitmap.
  Range large_bucket_range(std::uint64_t bucket) const;
  void note_crowded_groups();
  void prefetch_bitmap(std::uint64_t bucket) const {
    const std::uint64_t* word = bitmap_ + zero_before_sixteen(bucket) / 64;
    prefetch(word);
    prefetch(word + 1);
  }
  // Prefetches the pairs that visit_equal() reads first.
  void prefetch_range(const Range& range) const {
    const char* first = pairs_ + range.begin * rest_bits_ / 8;
    prefetch(first);
    prefetch(first + kPackedPaddingBytes - 8);
  }

  std::uint64_t load(std::uint64_t at) const {
    const std::uint64_t bit = at * rest_bits_;
    std::uint64_t word = 0;
    std::memcpy(&word, pairs_ + bit / 8, sizeof word);
    return word >> bit % 8 & rest_mask_;
  }

  // Searches for `key` and for keys that differ from it in one of the last `bits` bits, one after the other.
  template <class Starter, class Visitor>
  void find_flipped(std::uint64_t key, int bits, Starter&& visit_key, Visitor&& visit) const {
    visit_key();
    find(key, visit);
    for (int bit = 0; bit < bits; ++bit) {
      visit_key();
      find(key ^ std::uint64_t{1} << bit, visit);
    }
  }

  // Visits the pairs with `key` in a bucket, which may also contain other keys.
  template <class Visitor>
  void visit_equal(Range range, std::uint64_t key, Visitor&& visit, std::uint32_t first_value) const {
    const std::uint64_t rest = (key << shape_.value_bits) & rest_mask_;
    if (range.count > kAtOnceMaximum) {
      visit_equal_of_many(range, rest, visit, first_value);
      return;
    }
    unsigned found = 0;
    for (unsigned i = 0; i < kAtOnceMaximum; ++i) {
      found |= static_cast<unsigned>((load(range.begin + i) ^ rest) <= value_mask_) << i;
    }
    found &= (1U << range.count) - 1;
    for (; found != 0; found &= found - 1) {
      const auto at = range.begin + static_cast<unsigned>(std::countr_zero(found));
      const auto value = static_cast<std::uint32_t>(load(at) & value_mask_);
      if (value >= first_value && !visit(value)) return;
    }
  }
  template <class Visitor>
  void visit_equal_of_many(Range range, std::uint64_t rest, Visitor&& visit, std::uint32_t first_value) const {
    const std::uint64_t lowest = rest | first_value;
    const std::uint64_t end = range.begin + range.count;
    std::uint64_t at = range.begin;
    if (range.count > kScanMaximum) {
      for (std::uint64_t above = end; at < above;) {
        const std::uint64_t middle = (at + above) / 2;
        if (load(middle) < lowest) {
          at = middle + 1;
        } else {
          above = middle;
        }
      }
    }
    for (; at < end; ++at) {
      const std::uint64_t pair = load(at);
      if (pair < lowest) continue;
      if ((pair ^ rest) > value_mask_) return;
      if (!visit(static_cast<std::uint32_t>(pair & value_mask_))) return;
    }
  }

  // Visits pairs of a bucket whose keys differ from `key` in one bit, in key order.
  template <class Starter, class Visitor>
  void visit_near_in_bucket(Range own, std::uint64_t key, Starter&& visit_key, Visitor&& visit) const {
    const std::uint64_t rest = (key << shape_.value_bits & rest_mask_) >> shape_.value_bits;
    std::uint64_t last = rest;
    bool goes_on = true;
    for (std::uint64_t at = own.begin; at < own.begin + own.count; ++at) {
      const std::uint64_t pair = load(at);
      const std::uint64_t found = pair >> shape_.value_bits;
      const std::uint64_t different = found ^ rest;
      if (different == 0 || (different & (different - 1)) != 0) continue;
      if (found != last) {
        visit_key();
        goes_on = true;
        last = found;
      }
      if (goes_on) goes_on = visit(static_cast<std::uint32_t>(pair & value_mask_));
    }
  }

  // Visits the pairs of a key with several buckets, whose ones are adjacent in the bitmap.
  template <class Visitor>
  void visit_spanned(std::uint64_t key, std::uint32_t first_value, Visitor&& visit) const {
    const std::uint64_t base = bucket_of(key);
    const std::uint64_t bucket = base + (first_value >> shape_.rest_bits());
    std::uint64_t at = bucket_range(bucket).begin;
    std::uint64_t bit = 1 + at + bucket;
    // The end of the ones of the key's last bucket.
    const std::uint64_t last = bucket_of(key + 1) - 1;
    const std::uint64_t end = find_zero_bit(bitmap_, bit, static_cast<unsigned>(last - bucket));
    while (bit < end) {
      std::uint64_t ones = bits_from(bitmap_, bit);
      if (end - bit < 64) ones &= (std::uint64_t{1} << (end - bit)) - 1;
      for (; ones != 0; ones &= ones - 1) {
        const std::uint64_t of_bucket = bit + static_cast<unsigned>(std::countr_zero(ones)) - 1 - at - base;
        const auto value = static_cast<std::uint32_t>(of_bucket << shape_.rest_bits() | load(at));
        ++at;
        if (value >= first_value && !visit(value)) return;
      }
      bit += 64;
    }
  }

  PackedTableShape shape_;
  const char* pairs_ = nullptr;
  const BucketGroup* groups_ = nullptr;
  const std::uint64_t* bitmap_ = nullptr;
  std::shared_ptr<const std::vector<CrowdedGroup>> crowded_;  // ascending by group
  std::uint64_t rest_bits_ = 0;
  std::uint64_t rest_mask_ = 0;
  std::uint64_t value_mask_ = 0;
  int key_shift_left_ = 0;
  int key_shift_right_ = 0;
};

}  // namespace paraprint::inline store
