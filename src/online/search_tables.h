// The search tables of an index: segments on disk, heads in memory, and the thread that writes heads as segments.
//
// They form a log-structured merge tree whose memtable is the head. Texts are added to the head; a full head is sealed
// and stays searchable while it is written as a segment in the background. Adjacent segments are merged so that each is
// at least eight times as large as all younger ones together. So a lookup searches few tables, and a text is rewritten
// a logarithmic number of times. Segments cover adjoining ranges of text numbers.
//
// Everything here is derived from the database: missing or damaged tables are rebuilt from it when the index is opened.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/scheduled.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"
#include "store/index_database.h"
#include "store/index_manifest.h"
#include "store/search_head.h"
#include "store/search_segment.h"
#include "store/site_templates.h"

namespace paraprint::inline online {

// What a lookup searches: an immutable snapshot, except that texts are still appended to the head.
struct SearchView {
  std::vector<std::shared_ptr<const SearchSegment>> segments;
  std::vector<std::shared_ptr<const SearchHead>> sealed;
  std::shared_ptr<SearchHead> head;

  void find_exact(std::span<const ExactQuery> queries, HitCollector& collector) const;
  void find_near(std::span<const NearQuery> queries, HitCollector& collector) const;
  void find_sketch(std::span<const std::uint32_t> keys, HitCollector& collector) const;
  // Lower bound of the text's characters; 0 if unknown.
  std::uint32_t least_characters(std::uint64_t text) const;
  // TextKeys::summary of the text, unless it is unknown.
  std::optional<Fingerprint128> summary(std::uint64_t text) const;
  void prefetch_summary(std::uint64_t text) const;
};

// Extracts the keys of a stored text when tables are rebuilt. kCorruptData for bytes that are not a text record.
using TextKeysReader = std::function<Status(std::string_view record, TextKeys& keys)>;

struct SearchTablesOptions {
  std::string folder;  // holds the table files; must exist
  std::uint32_t head_pages = 0;
  // Calls of lock_to_add() that may wait at once.
  std::uint32_t waiting_maximum = std::numeric_limits<std::uint32_t>::max();
  bool has_summaries = false;                                      // whether the tables hold TextKeys::summary
  bool has_near_keys = true;                                       // whether they hold TextKeys::fingerprints
  std::uint64_t segment_entries_maximum = kSegmentEntriesMaximum;  // segments stay below it; tests choose a small one
  // The files stay as they are: there is no background thread, and damage is an error instead of repaired.
  bool is_read_only = false;
  // Of an index whose files may be the same, hard-linked: they are not read again. May be null.
  std::shared_ptr<const SearchView> earlier;
  RunControl control;  // progress and stop of rebuilding tables
};

class SearchTables {
 public:
  // Opens the tables, repairing them and replaying texts that no segment covers yet. Sets `next_text` to the number of
  // the next text to add. Callers of add() must hold `writer_mutex`; the tables themselves lock it to encode
  // `templates` as of one moment. All references must outlive the tables.
  static Result<std::unique_ptr<SearchTables>> open(const SearchTablesOptions& options, IndexDatabase& database,
                                                    const TextKeysReader& read_keys, SiteTemplates& templates,
                                                    ScheduledMutex& writer_mutex,
                                                    std::atomic<std::uint64_t>& next_text);
  ~SearchTables();
  SearchTables(const SearchTables&) = delete;
  SearchTables& operator=(const SearchTables&) = delete;

  std::shared_ptr<const SearchView> view() const;

  // Locks the writer mutex as soon as there is room for another text: it waits while heads are being written, which
  // also needs the mutex, but not if they cannot be written. Errors: kCancelled (stop.h); kNoSpace if as many calls as
  // may wait do so already.
  Result<std::unique_lock<ScheduledMutex>> lock_to_add();
  // kNoSpace if there is no room because the sealed heads cannot be written.
  Status check_room() const;
  // Requires the writer mutex. The text must already be in the database, and `text` greater than all earlier ones.
  void add(std::uint64_t text, const TextKeys& keys);

  // Rewrites everything without the deleted texts, as one segment if that can hold it.
  Status compact();

  // Calls `copy` with the names of all files that belong to the tables. No file is created or removed meanwhile. The
  // counts of site templates are written before: they include votes of deleted texts, which cannot be counted again.
  Status with_files(const std::function<Status(const std::vector<std::string>& names)>& copy);

  std::vector<std::string> warnings() const;
  std::uint64_t merges() const { return merges_.load(std::memory_order_relaxed); }

 private:
  // Sealed heads waiting to be written. More of them mean that the disk does not accept them, or not as fast as they
  // are filled; the bound also limits the memory that they take.
  static constexpr std::size_t kSealedMaximum = 8;

  SearchTables(const SearchTablesOptions& options, IndexDatabase& database, const TextKeysReader& read_keys,
               SiteTemplates& templates, ScheduledMutex& writer_mutex, std::atomic<std::uint64_t>& next_text)
      : options_(options),
        database_(database),
        read_keys_(read_keys),
        templates_(templates),
        writer_mutex_(writer_mutex),
        next_text_(next_text) {}

  std::string path_of(const std::string& name) const { return options_.folder + "/" + name; }
  std::string path_of_segment(std::uint64_t file) const { return path_of(segment_file_name(file)); }
  void warn(std::string warning);
  // Writes the head's texts before the segment's end as the segment's file, and opens that.
  Result<std::shared_ptr<const SearchSegment>> write_segment(const SearchHead& head,
                                                             const ManifestSegment& segment) const;

  // search_tables_recovery.cc
  Status recover();
  Result<IndexManifest> read_manifest();
  Status check_is_whole(std::uint64_t covered_texts, std::uint64_t counted_texts) const;
  std::string misfit(const SearchSegment& segment, const ManifestSegment& listed) const;
  Status check_repairable(const std::string& damage) const;
  std::shared_ptr<const SearchSegment> find_opened(const ManifestSegment& listed) const;
  Status open_segments(IndexManifest& manifest, SearchView& view);
  Status make_segments_again(const TextRange& texts, std::vector<ManifestSegment>& made, SearchView& view);
  Status replay(SearchView& view);
  Status recover_templates(const IndexManifest& manifest);
  Status remove_unknown_files(const IndexManifest& manifest) const;

  class WaitingAdd;
  bool is_full() const { return sealed_heads_.load() >= kSealedMaximum; }
  // The background thread. All but run_background(), maintain() and publish*() require maintenance_mutex_.
  void run_background();
  bool maintain() noexcept;  // false: try again later
  Status write_sealed_head();
  Status merge_where_due();
  // Whether the segments [first, end) of the view can be merged.
  bool fit_one_segment(const SearchView& now, std::size_t first_segment, std::size_t end_segment) const;
  // `before`: the view, in which only the background changes the segments.
  Status merge(const SearchView& before, std::size_t first_segment, std::size_t count);
  // Both write the counts to a file that `manifest` then names; `covered`: as templates_covered_text_ once that
  // manifest has replaced the other one.
  Status write_templates_if_due(IndexManifest& manifest, std::uint64_t& covered);
  Status write_templates(IndexManifest& manifest, std::uint64_t& covered);
  Status renew_templates();
  Status replace_manifest(IndexManifest manifest);
  void publish(const std::shared_ptr<const SearchView>& view);
  // Replaces the segments, and drops the oldest `written_heads` sealed heads. `next` comes from view_of(), which takes
  // all memory that is needed, so that publish_segments() cannot fail after the files have changed.
  static std::shared_ptr<SearchView> view_of(std::vector<std::shared_ptr<const SearchSegment>> segments);
  void publish_segments(std::shared_ptr<SearchView> next, std::size_t written_heads) noexcept;

  SearchTablesOptions options_;
  IndexDatabase& database_;
  TextKeysReader read_keys_;
  SiteTemplates& templates_;
  ScheduledMutex& writer_mutex_;
  std::atomic<std::uint64_t>& next_text_;

  mutable ScheduledMutex view_mutex_;  // guards view_ and is_stopping_; never held during I/O
  std::shared_ptr<const SearchView> view_;
  std::atomic<std::size_t> sealed_heads_{0};  // of view_
  // Whether the last attempt to write tables failed and left sealed heads; not any more once one of them is written.
  std::atomic<bool> has_failed_{false};
  ScheduledCondition wake_;
  ScheduledCondition room_;  // heads were written, or cannot be written
  std::atomic<std::uint32_t> waiting_adds_{0};
  bool is_stopping_ = false;

  mutable ScheduledMutex maintenance_mutex_;  // guards the files and manifest_; held while files are written
  IndexManifest manifest_;
  std::uint64_t templates_covered_text_ = 0;  // by the file that manifest_ names

  mutable std::mutex warnings_mutex_;
  std::vector<std::string> warnings_;
  std::atomic<std::uint64_t> merges_{0};
  ScheduledThread background_;
};

}  // namespace paraprint::inline online
