// The mutable part of the search tables: the texts added last, in memory.
//
// One thread adds, any number look up meanwhile, without locks: entries are appended to arrays that never move and are
// published by storing their numbers. Blocks are searched as in search_segment.h; here the whole fingerprints are at
// hand, so hits are within 6 bits and nothing else.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "paraprint/result.h"
#include "store/search_keys.h"
#include "store/search_segment.h"

namespace paraprint {

class SearchHead {
 public:
  // Texts from `first_text` on, up to `text_capacity`. Memory is reserved, and used as it fills: about 48 bytes a
  // paragraph fingerprint, 12 an exact key, 132 a sketch.
  SearchHead(std::uint64_t first_text, std::uint32_t text_capacity);
  ~SearchHead();
  SearchHead(const SearchHead&) = delete;
  SearchHead& operator=(const SearchHead&) = delete;

  // Whether another text with these keys still has room. An empty head has room for any text.
  bool has_room(const TextKeys& keys) const;
  // `text` must be greater than all before it. One thread at a time.
  void add(std::uint64_t text, const TextKeys& keys);

  void find_exact(std::span<const ExactQuery> queries, HitCollector& collector) const;
  void find_near(std::span<const NearQuery> queries, HitCollector& collector) const;
  void find_sketch(std::span<const std::uint32_t> keys, HitCollector& collector) const;
  // Characters that a text of the range has at least.
  std::uint32_t least_characters(std::uint64_t text) const;

  // Texts [first_text, behind the last added).
  TextRange texts() const { return {first_text_, end_text_.load(std::memory_order_acquire)}; }
  std::uint64_t used_bytes() const;

  // A segment of its texts, for the range up to `end_text`. Nothing may be added any more. Memory: 16 bytes an entry of
  // one table.
  Status write_segment(const std::string& path, std::uint64_t end_text) const;

 private:
  struct State;

  std::uint64_t first_text_;
  std::uint32_t text_capacity_;
  std::atomic<std::uint64_t> end_text_;
  std::unique_ptr<State> state_;
};

}  // namespace paraprint
