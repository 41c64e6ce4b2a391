// An immutable file of search tables over a range of texts, in memory or mapped into it (docs/formats/index.md).
//
// Six packed tables: one for each block of the paragraph fingerprints, one for exact keys, one for sketch keys; and how
// long each text is, roughly. A segment holds every key of every text that was there when it was written; texts deleted
// since are still in it, the caller finds them gone. Derived data: whoever loses a segment makes it again from the
// stored profiles.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "paraprint/result.h"
#include "store/packed_table.h"
#include "store/search_keys.h"

namespace paraprint {

inline constexpr std::uint32_t kSegmentFormatVersion = 4;  // persisted

// Texts [first, end). At most 2^32 - 1 of them in a segment.
struct TextRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - first; }
};

// Where the bytes of a segment are.
enum class SegmentMemory : std::uint8_t {
  kMapped,
  // In memory of the process if they are at most segment_memory_share_bytes(), else mapped. Look-ups read some thousand
  // places of them: in a mapped file each costs the search for its page of 4 KB, too.
  kReadIfSmall,
};

// An eighth of the memory that the process may use. Segments together have at most half as much again as the largest,
// and while they are merged twice that.
std::uint64_t segment_memory_share_bytes();

class SearchSegment {
 public:
  // Maps or reads the file and checks every byte of it. kCorruptData names the file and what is wrong, an older
  // version, too: it has to be made again; kUnsupported for a newer one; kNotFound, kInputOutput.
  static Result<std::shared_ptr<const SearchSegment>> open(const std::string& path, SegmentMemory memory);
  // The same over bytes in memory, which must stay; aligned to 8. For tests and fuzzing. `name` goes into messages.
  static Result<std::shared_ptr<const SearchSegment>> read(std::span<const char> bytes, const std::string& name);

  SearchSegment(const SearchSegment&) = delete;
  SearchSegment& operator=(const SearchSegment&) = delete;

  void find_exact(std::span<const ExactQuery> queries, HitCollector& collector) const;
  // At least the texts with a fingerprint within 6 bits.
  void find_near(std::span<const NearQuery> queries, HitCollector& collector) const;
  // Texts with two of the keys or more.
  void find_sketch(std::span<const std::uint32_t> keys, HitCollector& collector) const;
  // Characters that a text of the range has at least.
  std::uint32_t least_characters(std::uint64_t text) const {
    return least_characters_of(static_cast<std::uint8_t>(length_classes_[text - texts_.first]));
  }
  std::string_view length_classes() const { return length_classes_; }

  const TextRange& texts() const { return texts_; }
  const PackedTable& table(std::size_t number) const { return tables_[number]; }
  std::uint64_t size_bytes() const { return bytes_.size(); }
  const std::string& path() const { return path_; }

 private:
  SearchSegment() = default;
  Status parse(const std::string& name);
  template <class Query, class KeyOf>
  void find_equal(std::size_t number, std::span<const Query> queries, KeyOf&& key_of, HitCollector& collector) const;

  std::string path_;
  MappedFile file_;
  std::span<const char> bytes_;
  TextRange texts_;
  std::array<PackedTable, kSearchTables> tables_;
  std::string_view length_classes_;  // a byte a text
};

// Pairs of one table in ascending order, values counting from the range's first text; false at the end.
using PairStream = std::function<bool(PackedPair&)>;
struct TableSource {
  std::uint64_t count = 0;  // about; not less than what comes
  PairStream next;
};

// Writes a segment file, complete or not at all. Streams: memory is that of one directory. `length_classes`: a byte
// a text. kNoSpace, kInputOutput.
Status write_search_segment(const std::string& path, const TextRange& texts, std::string_view length_classes,
                            std::array<TableSource, kSearchTables>& sources);

// One segment for the adjoining ranges of `segments` (in order). Pairs of texts for which is_alive is false are left
// out.
Status merge_search_segments(const std::string& path, std::span<const std::shared_ptr<const SearchSegment>> segments,
                             const std::function<bool(std::uint64_t text)>& is_alive);

}  // namespace paraprint
