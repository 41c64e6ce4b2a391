// An immutable file of search tables for a range of texts, read into memory or mapped (docs/formats/index.md).
//
// It consists of six packed tables (one for each block of the paragraph fingerprints, one for exact keys, one for
// sketch keys), the approximate length of each text, and in the index of some algorithms 128 bits that summarise it. A
// segment contains all keys of all texts that existed when it
// was written. Texts deleted since are still in it; the caller must check whether a text exists. Segments are derived
// data: a lost one can be rebuilt from the stored profiles.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/prefetch.h"
#include "memory/mapped_file.h"
#include "paraprint/result.h"
#include "store/packed_table.h"
#include "store/search_keys.h"

namespace paraprint::inline store {

// Persisted: without and with summaries of texts.
inline constexpr std::uint32_t kSegmentFormatVersion = 4;
inline constexpr std::uint32_t kSummarySegmentFormatVersion = 5;

// Most texts of a segment, and most pairs of each of its tables.
inline constexpr std::uint64_t kSegmentEntriesMaximum = std::numeric_limits<std::uint32_t>::max() - 1;

// Texts [first, end). A segment has at most kSegmentEntriesMaximum of them.
struct TextRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - first; }
};

// How the bytes of a segment are accessed.
enum class SegmentMemory : std::uint8_t {
  kMapped,
  // Read into memory if the file has at most segment_memory_share_bytes(), otherwise mapped. A lookup reads some
  // thousand random places; in a mapped file each of them also costs the translation of a 4 KB page.
  kReadIfSmall,
};

// An eighth of the memory that the process may use. All segments together are at most one and a half times the largest,
// and twice that during a merge.
std::uint64_t segment_memory_share_bytes();

class SearchSegment {
 public:
  // Maps or reads the file and verifies all checksums. Errors: kCorruptData, naming the file and the defect, also for
  // an older version, which has to be rebuilt; kUnsupported for a newer version; kNotFound, kInputOutput.
  static Result<std::shared_ptr<const SearchSegment>> open(const std::string& path, SegmentMemory memory);
  // The same for bytes in memory, which must be aligned to 8 bytes and outlive the segment. For tests and fuzzing.
  // `name` is used in messages.
  static Result<std::shared_ptr<const SearchSegment>> read(std::span<const char> bytes, const std::string& name);

  SearchSegment(const SearchSegment&) = delete;
  SearchSegment& operator=(const SearchSegment&) = delete;

  void find_exact(std::span<const ExactQuery> queries, HitCollector& collector) const;
  // Finds all texts with a fingerprint within 6 bits, and some others.
  void find_near(std::span<const NearQuery> queries, HitCollector& collector) const;
  // Finds texts with at least two of the keys.
  void find_sketch(std::span<const std::uint32_t> keys, HitCollector& collector) const;
  // A lower bound of the text's content characters. `text` must be in texts().
  std::uint32_t least_characters(std::uint64_t text) const {
    return least_characters_of(static_cast<std::uint8_t>(length_classes_[text - texts_.first]));
  }
  bool has_summaries() const { return !summaries_.empty(); }
  // TextKeys::summary of the text, if the segment has summaries. `text` must be in texts().
  std::optional<Fingerprint128> summary(std::uint64_t text) const {
    if (!has_summaries()) return std::nullopt;
    return decode_summary(summaries_.data() + (text - texts_.first) * kSummaryBytes);
  }
  void prefetch_summary(std::uint64_t text) const {
    if (has_summaries()) prefetch(summaries_.data() + (text - texts_.first) * kSummaryBytes);
  }
  std::string_view length_classes() const { return length_classes_; }
  std::string_view summaries() const { return summaries_; }

  const TextRange& texts() const { return texts_; }
  const PackedTable& table(std::size_t number) const { return tables_[number]; }
  std::uint64_t size_bytes() const { return bytes_.size(); }
  const std::string& path() const { return path_; }
  // file_stamp() of the file when it was opened: a hard link to it has the same one. Empty for bytes in memory.
  const std::string& stamp() const { return stamp_; }

 private:
  SearchSegment() = default;
  Status parse(const std::string& name);
  template <class Query, class KeyOf>
  void find_equal(std::size_t number, std::span<const Query> queries, KeyOf&& key_of, HitCollector& collector) const;

  std::string path_;
  std::string stamp_;
  MappedFile file_;
  std::span<const char> bytes_;
  TextRange texts_;
  std::array<PackedTable, kSearchTables> tables_;
  std::string_view length_classes_;  // one byte per text
  std::string_view summaries_;       // empty, or kSummaryBytes per text
};

// Returns the pairs of one table in ascending order, with values relative to the range's first text; false at the end.
using PairStream = std::function<bool(PackedPair&)>;
struct TableSource {
  std::uint64_t count = 0;  // an upper bound of the number of pairs
  PairStream next;
};

// What a segment has of each text of its range.
struct TextColumns {
  std::string_view length_classes;  // one byte per text
  std::string_view summaries;       // empty, or kSummaryBytes per text
};

// Writes a segment file atomically. Streams the pairs; memory is that of one directory. Errors: kNoSpace, kInputOutput,
// kCancelled.
Status write_search_segment(const std::string& path, const TextRange& texts, const TextColumns& columns,
                            std::array<TableSource, kSearchTables>& sources);

// Whether segments with adjacent ranges, given in order, have at most so many texts together, and pairs of each table,
// those of deleted texts included.
bool may_merge(std::span<const std::shared_ptr<const SearchSegment>> segments, std::uint64_t entries_maximum);

// Merges segments for which may_merge(segments, kSegmentEntriesMaximum); all of them or none have summaries. Drops the
// pairs of texts for which is_alive() is false. Errors: those of write_search_segment().
Status merge_search_segments(const std::string& path, std::span<const std::shared_ptr<const SearchSegment>> segments,
                             const std::function<bool(std::uint64_t text)>& is_alive);

}  // namespace paraprint::inline store
