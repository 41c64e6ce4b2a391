// What of a text the search tables of the index hold, and how a fingerprint is cut into table keys.
//
// Exact keys (heavy sentences, paragraphs, the whole text) are looked up as they are: their top 36 bits. Fingerprints
// of 128 bits within 6 bits of a query are found by four tables (Manku et al. 2007; algorithms.md 15) in the form that
// flips bits of the query: the fingerprint is cut into four blocks of 32 bits. A fingerprint within 6 bits either
// agrees with block 3, or has at most 5 different bits in blocks 0 to 2, so that one of those differs in at most one.
// So the query's block 3 is looked up as it is, its other blocks as they are and with each one bit flipped: exact, for
// four entries a fingerprint instead of the seven tables that need equal blocks.
//
// Tables answer texts, not pairs: what agrees with a key by chance is compared and dropped by the caller.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "paraprint/model.h"

namespace paraprint {

inline constexpr int kSearchDistanceBits = 6;
inline constexpr int kBlockBits = 32;
inline constexpr int kExactKeyBits = 36;
inline constexpr std::size_t kBlockTables = 4;
// Tables 0 to 2 are searched within one bit, table 3 for equal blocks.
inline constexpr std::size_t kFlippedTables = 3;
inline constexpr std::size_t kExactTable = 4;
inline constexpr std::size_t kSearchTables = 5;

// Distinct values; any order.
struct TextKeys {
  std::vector<std::uint64_t> exact;
  std::vector<Fingerprint128> fingerprints;
};

inline std::array<std::uint32_t, kBlockTables> blocks_of(const Fingerprint128& fingerprint) {
  return {static_cast<std::uint32_t>(fingerprint.high >> 32), static_cast<std::uint32_t>(fingerprint.high),
          static_cast<std::uint32_t>(fingerprint.low >> 32), static_cast<std::uint32_t>(fingerprint.low)};
}

inline std::uint64_t table_key_of(std::uint64_t exact_key) {
  return exact_key >> (64 - kExactKeyBits);
}

inline int table_key_bits(std::size_t table) {
  return table == kExactTable ? kExactKeyBits : kBlockBits;
}

// A text that agrees with a key of the query, and the weight of that key: characters, as the caller gave it.
struct TableHit {
  std::uint64_t text = 0;
  std::uint32_t weight = 0;
};

// Where hits go. One a look-up.
struct HitCollector {
  std::vector<TableHit> hits;
  std::uint32_t key_cap = 256;   // hits of one key in one table; the oldest texts of a table come first
  std::uint64_t first_text = 0;  // older texts are left out
  std::uint32_t keys_over_cap = 0;
  std::uint32_t weight = 0;  // of the key being looked up

  void begin_key() { left_ = key_cap; }
  // Whether this key goes on.
  bool add(std::uint64_t text) {
    if (text < first_text) return true;
    if (left_ == 0) {
      ++keys_over_cap;
      return false;
    }
    --left_;
    hits.push_back({text, weight});
    return true;
  }

 private:
  std::uint32_t left_ = 0;
};

}  // namespace paraprint
