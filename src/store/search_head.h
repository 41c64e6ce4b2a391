// The mutable part of the search tables, like the memtable of an LSM tree: the most recent texts, in memory.
//
// One thread adds while any number of threads search, without locks: entries are appended to arrays that never move,
// and published by storing their numbers. Blocks are searched as in search_segment.h, but here complete fingerprints
// are available, so all hits are within 6 bits.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "paraprint/result.h"
#include "store/search_keys.h"
#include "store/search_segment.h"

namespace paraprint::inline store {

class SearchHead {
 public:
  // For up to `text_capacity` texts from `first_text` on. Memory is reserved at once but becomes resident only as it
  // fills: about 48 bytes per paragraph fingerprint, 12 per exact key, 132 per sketch, 16 per summary.
  SearchHead(std::uint64_t first_text, std::uint32_t text_capacity, bool has_summaries = false);
  ~SearchHead();
  SearchHead(const SearchHead&) = delete;
  SearchHead& operator=(const SearchHead&) = delete;

  // Whether a text has so few keys that it fits into an empty head of any capacity. Real pages have hundreds of keys;
  // the limits are 2^18 fingerprints and 2^20 exact keys.
  static bool fits_when_empty(const TextKeys& keys);
  // Whether another text with these keys fits. An empty head has room for any text of which fits_when_empty() is true.
  bool has_room(const TextKeys& keys) const;
  // `text` must be greater than all texts added before, and in the range of a segment (kSegmentEntriesMaximum).
  // Requires has_room(). One thread at a time.
  void add(std::uint64_t text, const TextKeys& keys);

  void find_exact(std::span<const ExactQuery> queries, HitCollector& collector) const;
  void find_near(std::span<const NearQuery> queries, HitCollector& collector) const;
  void find_sketch(std::span<const std::uint32_t> keys, HitCollector& collector) const;
  // A lower bound of the text's content characters; 0 if unknown.
  std::uint32_t least_characters(std::uint64_t text) const;
  // TextKeys::summary of the text, unless it is unknown.
  std::optional<Fingerprint128> summary(std::uint64_t text) const;

  // The range from first_text to the last added text.
  TextRange texts() const { return {first_text_, end_text_.load(std::memory_order_acquire)}; }
  std::uint64_t used_bytes() const;

  // Writes a segment of all texts, for the range up to `end_text`. No text may be added during or after the call.
  // Memory: 16 bytes per entry of the largest table. Errors: those of write_search_segment().
  Status write_segment(const std::string& path, std::uint64_t end_text) const;

 private:
  struct State;
  // The place of a text in the order of addition, if it is there.
  std::optional<std::size_t> slot_of(std::uint64_t text) const;

  std::uint64_t first_text_;
  std::uint32_t text_capacity_;
  std::atomic<std::uint64_t> end_text_;
  std::unique_ptr<State> state_;
};

}  // namespace paraprint::inline store
