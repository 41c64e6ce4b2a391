// The keys of a text in the index's search tables, and how fingerprints are cut into table keys.
//
// Exact keys (heavy sentences, paragraphs, the whole text) are looked up by their top 28 bits. Fingerprints of 128 bits
// within 6 bits of a query are found by four tables, in the variant of Manku et al. (2007, docs/algorithms/hamming.md)
// that flips bits of the query: the fingerprint is cut into four blocks of 32 bits. A fingerprint within 6 bits either
// agrees in block 3, or has at most 5 different bits in blocks 0 to 2, so one of those differs in at most one bit. The
// query's block 3 is therefore looked up as it is, its other blocks as they are and with each single bit flipped. This
// finds all of them with four entries per fingerprint, instead of the seven tables needed with equal blocks.
//
// Sketch keys are short, so many texts share one by chance: a text is a hit only if it has two keys of the query.
//
// Tables return candidate texts. Chance matches are compared and dropped by the caller.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "paraprint/model.h"

namespace paraprint::inline store {

inline constexpr int kSearchDistanceBits = 6;
inline constexpr int kBlockBits = 32;
inline constexpr int kShortKeyBits = 21;              // of a sketch key; tables store the leading 20
inline constexpr std::size_t kShortKeysMaximum = 32;  // sketch keys per text
inline constexpr std::size_t kBlockTables = 4;
// Tables 0 to 2 are searched within one bit, table 3 only for equal blocks.
inline constexpr std::size_t kFlippedTables = 3;
inline constexpr std::size_t kExactTable = 4;
inline constexpr std::size_t kSketchTable = 5;
inline constexpr std::size_t kSearchTables = 6;

// The keys of a text: distinct values in any order.
struct TextKeys {
  std::vector<std::uint64_t> exact;
  std::vector<Fingerprint128> fingerprints;
  std::vector<std::uint32_t> sketch;  // none, or at most kShortKeysMaximum
  std::uint32_t content_characters = 0;
  Fingerprint128 summary;  // what it says is known to the caller
};

inline std::array<std::uint32_t, kBlockTables> blocks_of(const Fingerprint128& fingerprint) {
  return {static_cast<std::uint32_t>(fingerprint.high >> 32), static_cast<std::uint32_t>(fingerprint.high),
          static_cast<std::uint32_t>(fingerprint.low >> 32), static_cast<std::uint32_t>(fingerprint.low)};
}

// Number of key bits in each table. Persisted.
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

// A lower bound of a text's characters in one byte: the three bits after the leading one, so at most an eighth too low.
// 0 means unknown. Persisted.
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

// The byte form of TextKeys::summary: low half first, little-endian. Persisted.
inline constexpr std::size_t kSummaryBytes = 16;
void encode_summary(const Fingerprint128& summary, char* bytes);
inline Fingerprint128 decode_summary(const char* bytes) {
  Fingerprint128 summary;
  std::memcpy(&summary.low, bytes, sizeof summary.low);
  std::memcpy(&summary.high, bytes + sizeof summary.low, sizeof summary.high);
  return summary;
}

// Keys of a query with their weights: numbers of characters, as counted by the caller.
struct ExactQuery {
  std::uint64_t key = 0;
  std::uint32_t weight = 0;
  // The key of a whole text: the cap is at least kTextKeyCap, and beyond it the youngest texts are hits, not those that
  // a table gives first.
  bool prefers_youngest = false;
  // How many bits of a text's own data the key was made of. Short keys match by chance, which the cap allows for.
  int key_bits = 64;
};
struct NearQuery {
  Fingerprint128 fingerprint;
  std::uint32_t weight = 0;
};

// A text that matches a key of the query, and the weight of that key.
struct TableHit {
  std::uint64_t text = 0;
  std::uint32_t weight = 0;
  bool is_by_sketch = false;  // the texts may have more in common than the weight
};

// Collects the texts that have keys of a query in one table, and keeps those with two or more keys.
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
  // Adds a hit for each text with at least two keys. Its weight is `weight` times its share of the `key_count` keys.
  void end_table(std::uint32_t weight, std::size_t key_count, std::vector<TableHit>& hits);

 private:
  static constexpr std::size_t kWords = 1024;  // texts whose numbers are equal modulo 65,536 share a bit
  std::vector<std::uint64_t> texts_;
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint64_t> seen_twice_;
};

// Collects the hits of one lookup. Not thread-safe.
struct HitCollector {
  std::vector<TableHit> hits;
  std::uint32_t key_cap = 256;   // maximum hits per key and table; segments give the oldest texts first, heads the last
  std::uint64_t first_text = 0;  // older texts are skipped
  std::uint32_t keys_over_cap = 0;
  std::uint64_t weight_over_cap = 0;  // total weight of those keys, which hits may have in common in addition
  std::uint32_t weight = 0;           // of the key being looked up; for sketches, of a match in all keys

  // A table has 28 bits of the key of a whole text, so that anyone can make texts that share it, at 2^28 attempts each.
  // Many of them are followed, or an equal text could be hidden behind a few.
  static constexpr std::uint32_t kTextKeyCap = 16'384;

  // Thousands of paragraphs made to share blocks with thousands of others would be millions of hits, and many more
  // comparisons that are none. Beyond a few for each key and line, the near keys of a lookup share what they may have:
  // by default as much as 256 hits and 16 lines of a head (store/block_lines.h) for each key, and never less than this,
  // so that only odd pages notice it. What is left out counts as over the cap.
  static constexpr std::uint64_t kNearHitsMinimum = 1 << 17;
  static constexpr std::uint64_t kLinesMinimum = 1 << 14;
  static constexpr std::uint32_t kNearHitsAlways = 1;
  static constexpr std::uint32_t kLinesAlways = 3;
  void begin_near_keys(std::size_t keys) {
    constexpr std::uint64_t kHitsPerLine = 16;
    shares_ = true;
    near_hits_left_ = std::max(kNearHitsMinimum, std::uint64_t{key_cap} * keys);
    lines_left_ = std::max(kLinesMinimum, std::uint64_t{key_cap} * keys / kHitsPerLine);
  }
  void end_near_keys() { shares_ = false; }
  // Whether a head may read another line of entries for a key, after `lines` of them.
  bool may_read_on(std::uint32_t lines) {
    if (!shares_ || lines < kLinesAlways) return true;
    if (lines_left_ == 0) {
      count_over_cap();
      return false;
    }
    --lines_left_;
    return true;
  }

  void begin_key() { begin(key_cap); }
  // A key of so few bits that some of a table's `texts` have it by chance: the cap exceeds four times their number.
  void begin_short_key(std::uint64_t texts, int key_bits) {
    begin(std::uint64_t{key_cap} + (key_bits < 64 ? 4 * texts >> key_bits : 0));
  }
  // The key of a whole text, for a table that gives the youngest texts first.
  void begin_text_key() { begin(text_key_cap()); }
  // And for one that gives the oldest first: all texts are added, and end_youngest() drops those over the cap.
  void begin_youngest() {
    begin(~std::uint64_t{0});
    first_hit_ = hits.size();
  }
  void end_youngest() {
    if (hits.size() - first_hit_ <= text_key_cap()) return;
    ++keys_over_cap;
    const auto first = hits.begin() + static_cast<std::ptrdiff_t>(first_hit_);
    hits.erase(first, hits.end() - text_key_cap());
  }
  // Adds a hit. Returns false once the key has reached its cap.
  bool add(std::uint64_t text) {
    if (text < first_text) return true;
    if (!has_room_for_text()) return false;
    hits.push_back({text, weight, false});
    return true;
  }

  // The same for the keys of a sketch, in a table of `texts` texts. The cap exceeds the number of chance matches.
  void begin_sketch() { sketch_hits_.begin_table(); }
  void begin_sketch_key(std::uint64_t texts) { begin(std::uint64_t{key_cap} + texts / kTextsPerChanceHit); }
  bool add_sketch(std::uint64_t text) {
    if (text < first_text) return true;
    if (!has_room_for_text()) return false;
    sketch_hits_.add(text);
    return true;
  }
  void end_sketch(std::size_t key_count) { sketch_hits_.end_table(weight, key_count, hits); }

 private:
  // Allows four times the matches expected by chance: a table stores 15 random bits of a key (one in 32,768 texts).
  static constexpr std::uint64_t kTextsPerChanceHit = 1 << 13;

  std::uint32_t text_key_cap() const { return std::max(key_cap, kTextKeyCap); }
  void begin(std::uint64_t hits_maximum) {
    left_ = hits_maximum;
    given_ = 0;
  }
  void count_over_cap() {
    ++keys_over_cap;
    weight_over_cap += weight;
  }
  bool has_room_for_text() {
    const bool is_shared = shares_ && given_ >= kNearHitsAlways;
    if (left_ == 0 || (is_shared && near_hits_left_ == 0)) {
      count_over_cap();
      return false;
    }
    --left_;
    ++given_;
    if (is_shared) --near_hits_left_;
    return true;
  }

  std::uint64_t left_ = 0;   // hits that the key may still have
  std::uint64_t given_ = 0;  // hits of the key
  bool shares_ = false;      // between begin_near_keys() and end_near_keys()
  std::uint64_t near_hits_left_ = 0;
  std::uint64_t lines_left_ = 0;
  std::size_t first_hit_ = 0;
  SketchHits sketch_hits_;
};

}  // namespace paraprint::inline store
