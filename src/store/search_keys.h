// What of a text the search tables of the index hold, and how a fingerprint is cut into table keys.
//
// Exact keys (heavy sentences, paragraphs, the whole text) are looked up as they are: their top 28 bits. Fingerprints
// of 128 bits within 6 bits of a query are found by four tables (Manku et al. 2007; algorithms.md 15) in the form that
// flips bits of the query: the fingerprint is cut into four blocks of 32 bits. A fingerprint within 6 bits either
// agrees with block 3, or has at most 5 different bits in blocks 0 to 2, so that one of those differs in at most one.
// So the query's block 3 is looked up as it is, its other blocks as they are and with each one bit flipped: exact, for
// four entries a fingerprint instead of the seven tables that need equal blocks.
//
// Sketch keys are short, and many texts have one by chance: a text is a hit when it has two keys of the query.
//
// Tables answer texts, not pairs: what agrees with a key by chance is compared and dropped by the caller.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "paraprint/model.h"

namespace paraprint {

inline constexpr int kSearchDistanceBits = 6;
inline constexpr int kBlockBits = 32;
inline constexpr int kShortKeyBits = 21;              // of the keys given; tables have the leading 20
inline constexpr std::size_t kShortKeysMaximum = 32;  // of a text
inline constexpr std::size_t kBlockTables = 4;
// Tables 0 to 2 are searched within one bit, table 3 for equal blocks.
inline constexpr std::size_t kFlippedTables = 3;
inline constexpr std::size_t kExactTable = 4;
inline constexpr std::size_t kSketchTable = 5;
inline constexpr std::size_t kSearchTables = 6;

// Distinct values; any order.
struct TextKeys {
  std::vector<std::uint64_t> exact;
  std::vector<Fingerprint128> fingerprints;
  std::vector<std::uint32_t> sketch;  // none, or at most kShortKeysMaximum
  std::uint32_t content_characters = 0;
};

inline std::array<std::uint32_t, kBlockTables> blocks_of(const Fingerprint128& fingerprint) {
  return {static_cast<std::uint32_t>(fingerprint.high >> 32), static_cast<std::uint32_t>(fingerprint.high),
          static_cast<std::uint32_t>(fingerprint.low >> 32), static_cast<std::uint32_t>(fingerprint.low)};
}

// Bits of the keys in each table. Persisted.
inline constexpr std::array<int, kSearchTables> kTableKeyBits = {32, 32, 32, 27, 28, 20};

inline std::uint64_t table_key_of(std::uint64_t exact_key) {
  return exact_key >> (64 - kTableKeyBits[kExactTable]);
}
inline std::uint32_t table_key_of_block(std::size_t table, std::uint32_t block) {
  return block >> (kBlockBits - kTableKeyBits[table]);
}
inline std::uint32_t table_key_of_sketch(std::uint32_t short_key) {
  return short_key >> (kShortKeyBits - kTableKeyBits[kSketchTable]);
}

// How many characters a text has at least, in a byte: three bits behind the leading one, so at most an eighth too few.
// 0 says nothing. Persisted.
inline std::uint8_t length_class_of(std::uint32_t characters) {
  constexpr int kDigits = 3;
  const int shift = static_cast<int>(std::bit_width(characters)) - 1 - kDigits;
  if (shift < 0) return static_cast<std::uint8_t>(characters);
  return static_cast<std::uint8_t>((shift + 1) << kDigits | (characters >> shift & 7));
}
inline std::uint32_t least_characters_of(std::uint8_t length_class) {
  if (length_class < 8) return length_class;
  const int shift = (length_class >> 3) - 1;
  return shift > 28 ? 0 : (8U | (length_class & 7U)) << shift;
}

// Keys of a query, and the weight of each: characters, as the caller counts them.
struct ExactQuery {
  std::uint64_t key = 0;
  std::uint32_t weight = 0;
};
struct NearQuery {
  Fingerprint128 fingerprint;
  std::uint32_t weight = 0;
};

// A text that agrees with a key of the query, and the weight of that key: characters, as the caller gave it.
struct TableHit {
  std::uint64_t text = 0;
  std::uint32_t weight = 0;
  bool is_by_sketch = false;  // what is common may be more than the weight
};

// Texts of one table that have keys of a query, key by key; keeps those that have two or more.
class SketchHits {
 public:
  void begin_table() {
    texts_.clear();
    seen_.assign(kWords, 0);
    seen_twice_.assign(kWords, 0);
  }
  void add(std::uint64_t text) {
    const std::uint64_t bit = std::uint64_t{1} << text % 64;
    const std::size_t word = text / 64 % kWords;
    seen_twice_[word] |= seen_[word] & bit;
    seen_[word] |= bit;
    texts_.push_back(text);
  }
  // A hit for each text that has two keys or more: `weight` for all of `key_count` keys, less for fewer.
  void end_table(std::uint32_t weight, std::size_t key_count, std::vector<TableHit>& hits);

 private:
  static constexpr std::size_t kWords = 1024;  // texts that differ by multiples of 65,536 share a bit
  std::vector<std::uint64_t> texts_;
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint64_t> seen_twice_;
};

// Where hits go. One a look-up.
struct HitCollector {
  std::vector<TableHit> hits;
  std::uint32_t key_cap = 256;   // hits of one key in one table; the oldest texts of a table come first
  std::uint64_t first_text = 0;  // older texts are left out
  std::uint32_t keys_over_cap = 0;
  std::uint64_t weight_over_cap = 0;  // of those keys: texts may have more in common by them than their hits say
  std::uint32_t weight = 0;           // of the key being looked up; of a text whose sketch agrees in all keys

  void begin_key() { left_ = key_cap; }
  // Whether this key goes on.
  bool add(std::uint64_t text) {
    if (text < first_text) return true;
    if (!has_room_for_text()) return false;
    hits.push_back({text, weight, false});
    return true;
  }

  // The same for the keys of a sketch in a table of `texts` texts. The cap is above what agrees by chance.
  void begin_sketch() { sketch_hits_.begin_table(); }
  void begin_sketch_key(std::uint64_t texts) { left_ = std::uint64_t{key_cap} + texts / kTextsPerChanceHit; }
  bool add_sketch(std::uint64_t text) {
    if (text < first_text) return true;
    if (!has_room_for_text()) return false;
    sketch_hits_.add(text);
    return true;
  }
  void end_sketch(std::size_t key_count) { sketch_hits_.end_table(weight, key_count, hits); }

 private:
  // Four times as many texts as have one of 32,768 values by chance.
  static constexpr std::uint64_t kTextsPerChanceHit = 1 << 13;

  bool has_room_for_text() {
    if (left_ == 0) {
      ++keys_over_cap;
      weight_over_cap += weight;
      return false;
    }
    --left_;
    return true;
  }

  std::uint64_t left_ = 0;
  SketchHits sketch_hits_;
};

}  // namespace paraprint
