// The implementation of PageIndex: the database, the search tables, and the order in which they change.
//
// All changes are made under one lock. A new text is first added to the search tables, which can fail for lack of
// memory, then the change is written to the database; then the lock is released and the call waits until the change is
// durable. Lookups do not take that lock. So a text that the search tables report may be missing in the database, if it
// was deleted or is just being added, and the lookup that fails to read its profile skips it. In return, a lookup that
// sees that a text has been removed knows that the search tables have the text that replaces it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/scheduled.h"
#include "online/candidate_search.h"
#include "online/folder_lock.h"
#include "online/page_algorithm.h"
#include "online/published_snapshots.h"
#include "online/repeated_task.h"
#include "online/search_tables.h"
#include "online/statement_filter.h"
#include "online/sync_gate.h"
#include "paraprint/index.h"
#include "provenance/origin_record.h"
#include "store/index_database.h"
#include "store/index_records.h"
#include "store/site_templates.h"

namespace paraprint {

class PageIndex::Implementation {
 public:
  // page_index_open.cc
  static Result<std::unique_ptr<Implementation>> open(const std::string& folder, const IndexOptions& options,
                                                      const RunControl& control);
  ~Implementation();

  // page_index_read.cc
  Result<LookupOutcome> lookup(const IndexPageInput& page, const LookupOptions& options);
  Result<IndexedPage> get(std::string_view id) const;
  Result<IndexedPage> find_by_url(std::string_view url) const;
  Result<Profile> get_profile(std::string_view id) const;
  Result<PageFingerprint> get_fingerprint(std::string_view id) const;
  // page_index_cluster.cc
  Result<std::vector<IndexedPage>> get_cluster(std::string_view name, std::size_t limit) const;
  Status for_each_page_of_cluster(std::string_view name, const std::function<bool(IndexedPage&&)>& visit) const;
  // page_index_trace.cc
  Result<TracedCopies> trace(std::string_view id, const TraceOptions& options) const;

  Status for_each_page(bool with_profiles,
                       const std::function<Status(const IndexedPage&, const Profile*)>& visit) const;
  Status for_each_text(const std::function<Status(const IndexedText&)>& visit) const;
  Result<std::vector<std::string>> ids_after(std::string_view id, std::size_t limit) const;
  Result<IndexStatistics> statistics() const;

  // page_index_write.cc
  Result<AddOutcome> lookup_or_add(const IndexPageInput& page, const AddOptions& options);
  Result<PageChange> add(const IndexPageInput& page);
  Result<bool> remove(std::string_view id);
  Result<std::uint64_t> expire(std::uint64_t seen_before_seconds);
  Status sync() { return gate_.wait_for_all(); }
  Status check_writable() const;  // fails after a failed write or sync, and while the search tables are out of space
  Status check_readable() const { return database_->check_readable(); }

  // page_index_verify.cc
  Result<VerifyOutcome> verify(bool with_search_tables);

  // page_index_backup.cc
  Status backup(const std::string& folder) const;

  // page_index_snapshot.cc
  Status check_changeable() const;  // fails if the index is open for reading only
  Status publish_snapshot();
  // Null if there is no newer snapshot than this one.
  Result<std::shared_ptr<Implementation>> open_newer(const RunControl& control) const;

  Status compact();
  const std::string& folder() const { return folder_; }
  const std::string& identity() const { return identity_; }
  const std::string& algorithm() const { return algorithm_name_; }

 private:
  struct IncomingPage {
    std::string id;
    std::string_view url;
    std::string_view date;
    std::string_view origin;  // encoded; empty if it is not given
    std::uint64_t seen_at_seconds = 0;
    SearchQuery query;
    TextKeys keys;
    std::string profile;      // encoded
    std::string fingerprint;  // encoded; empty under the paragraph method
    // What is kept of the profile in an index of a page-level algorithm; `query` refers to it.
    std::unique_ptr<const Profile> head;
  };
  // The version currently stored under the id of an incoming page.
  struct StoredVersion {
    bool is_there = false;
    bool is_only_page_of_text = false;
    bool is_same_text = false;
    PageRecord record;
    Profile profile;
    PageFingerprint fingerprint;  // unless it is the paragraph method
    std::vector<std::uint8_t> template_flags;
  };
  // Which text and cluster an incoming page joins.
  struct Placement {
    std::optional<std::uint64_t> text;  // an existing equal text; empty: a new text
    std::string cluster;                // its name; from place(), empty: the page begins one
    bool is_voter = false;              // votes for its site's template
  };
  // A page that represents a text.
  struct TextPage {
    IndexedPage page;
    bool has_others = false;  // other pages have the same text
    bool is_wanted = true;    // false: none of those that were tried passes the filter
  };
  // Which pages count for one lookup, and how many of them may still be read to find out.
  struct FilteredPages {
    const KnownPageFilter& filter;
    std::size_t pages_left = 0;
  };
  // The state when a search without the lock began.
  struct SearchMoment {
    std::uint64_t removals = 0;
    std::uint64_t next_text = 0;
  };
  class SearchLease;
  class ClusterTrace;
  class TextRemoval;

  Implementation(std::string folder, const IndexOptions& options);
  Status lock_folder();
  Status open_format();
  Status open_database();
  Status open_counts();
  Status open_settings();
  Status open_generations();
  Status check_identity();
  Status open_algorithm(bool is_new);
  Status open_snapshots();
  Status open_tables(const RunControl& control, std::shared_ptr<const SearchView> earlier);
  Status start_tasks();
  void put_generations(IndexBatch& batch, const std::vector<ProfileGeneration>& generations) const;
  std::vector<IndexGeneration> generations() const;
  void warn_of_generations();
  void sync_in_background() noexcept;

  // `earlier`: an open snapshot whose search tables may be the same; null if there is none.
  static Result<std::unique_ptr<Implementation>> open_to_read(const std::string& folder, const IndexOptions& options,
                                                              const RunControl& control, const Implementation* earlier);
  static Result<std::unique_ptr<Implementation>> open_files_to_read(const std::string& folder,
                                                                    const IndexOptions& options,
                                                                    const RunControl& control,
                                                                    const Implementation* earlier);
  std::optional<PublishedSnapshot> snapshot() const;
  bool has_snapshots() const;
  void publish_in_background() noexcept;
  void warn(std::string warning);
  std::vector<std::string> warnings() const;

  // kInvalidArgument for a page without a profile or, with `needs_name`, without id and URL; kLimitExceeded for names
  // that are too long.
  Result<IncomingPage> prepare(const IndexPageInput& page, bool needs_name) const;
  // Encodes the profile and collects the keys of a page that is to be stored. kLimitExceeded for too many keys.
  Status prepare_adding(IncomingPage& page) const;
  Result<StoredVersion> stored_version(const IncomingPage& page) const;
  // A page and the record of its text, of one moment. Returns whether the page exists.
  Result<bool> get_page_and_text(std::string_view id, PageRecord& record, PinnedValue& text) const;
  tl::unexpected<Error> missing_text(std::string_view id, const PageRecord& record) const;
  static Result<IndexedPage> page_of(std::string_view id, const PageRecord& record, std::string_view text_record);
  // Such a page is a version of a known one and does not vote for its site's template: otherwise a few edited versions
  // of one article would turn its text into template.
  static bool is_copy_of_known(Verdict verdict) {
    return is_same_or_near(verdict) || verdict == Verdict::kContained || verdict == Verdict::kContains;
  }
  static bool is_same_or_near(Verdict verdict) { return verdict == Verdict::kSame || verdict == Verdict::kNear; }
  static std::uint64_t excluded_text(const StoredVersion& old);
  // Whether a cluster has pages other than one whose id is its name.
  Result<bool> has_cluster_members(std::string_view cluster) const;
  // Whether the page that has this cluster is the one that it began with.
  Result<bool> begins_cluster(std::string_view id, std::string_view cluster) const;
  // Whether the cluster is a second one of the page in its name, which is in it.
  Result<bool> is_second_cluster_of_other(std::string_view cluster) const;
  // The page that represents a text: its owner, or another page of the text if the owner is `asked_id`; with a filter,
  // the first one that passes. Empty if the text is gone.
  Result<std::optional<TextPage>> page_of_text(const FoundText& found, std::string_view asked_id,
                                               FilteredPages* filtered = nullptr) const;
  Result<std::optional<TextPage>> page_of_text_at(const IndexSnapshot* moment, std::uint64_t text,
                                                  std::string_view owner, bool has_other_pages,
                                                  std::string_view asked_id, FilteredPages* filtered) const;
  Status decode_stored_origin(std::string_view id, const PinnedValue& bytes, OriginRecord& origin) const;
  // Sets IndexedPage::stated if something is stored. kCorruptData for what is malformed.
  Status add_statement(IndexedPage& page, const IndexSnapshot* moment = nullptr) const;
  // Leaves those of `missing` (ascending), which a search did not find in the database, that were removed before now.
  // `removals`: removals_ as it was after that search.
  Status keep_removed_texts(std::uint64_t removals, std::vector<std::uint64_t>& missing) const;
  // Returns when removals_ is no longer `removals`, an odd number. Errors: kCancelled.
  Status wait_for_removal(std::uint64_t removals) const;
  // Adds the texts of `found` that are gone to `gone`.
  // `filtered`: null if every page counts.
  Status fill_answer(const std::vector<FoundText>& found, std::string_view asked_id, const LookupOptions& options,
                     FilteredPages* filtered, LookupOutcome& answer, std::vector<std::uint64_t>& gone) const;

  // The functions below require writer_mutex_.

  // Writes the batch, which includes `counts` by put_counts(), and adopts the counts if that succeeds.
  void put_counts(IndexBatch& batch, const IndexCounts& counts) const;
  Status write(IndexBatch& batch, const IndexCounts& counts);
  // Updates `old` and `found`, the results of a search begun at `moment`, to the current state.
  Status search_since(const IncomingPage& page, const SearchMoment& moment, const LookupOptions& options,
                      CandidateSearch& search, StoredVersion& old, std::vector<FoundText>& found, LookupWork& work);
  // Stores the page, or only its visit, as `options` request; reports in `answer` what was found and done.
  Status settle(const IncomingPage& page, const AddOptions& options, const StoredVersion& old,
                const std::vector<FoundText>& found, AddOutcome& answer);
  // The new version of a page against the stored one.
  Match match_versions(const IncomingPage& page, const StoredVersion& old, std::vector<MatchedSpan>* spans) const;
  Result<Placement> place(const IncomingPage& page, const std::vector<FoundText>& found) const;
  // Gives the cluster that the page begins a name, unless it joins one. `previous`: match_versions() of a known page.
  Status name_cluster(const IncomingPage& page, const StoredVersion& old, const std::optional<Match>& previous,
                      Placement& placement) const;
  Status store(const IncomingPage& page, const StoredVersion& old, const Placement& placement);
  void vote(const IncomingPage& page);
  // What the database has to store as `generations` because the new text begins one; then, that it has stored them.
  void begin_generation(IndexBatch& batch, std::uint64_t first_text, std::vector<ProfileGeneration>& generations) const;
  void adopt_generations(std::vector<ProfileGeneration>& generations);
  void put_origin(IndexBatch& batch, const IncomingPage& page);
  Status visit_url(IndexBatch& batch, const IncomingPage& page, PageRecord& record) const;
  Status store_visit(const IncomingPage& page, const StoredVersion& old);
  Status join_text(IndexBatch& batch, std::uint64_t text, std::string_view id) const;
  // Detaches the page from its text; true if it was the last page of that text, which is then removed.
  Result<bool> leave_text(IndexBatch& batch, std::uint64_t text, std::string_view id) const;
  Status leave_names(IndexBatch& batch, std::string_view id, const PageRecord& record, std::string_view new_url,
                     std::string_view new_cluster) const;
  Result<bool> remove_one(std::string_view id, std::optional<std::uint64_t> seen_before_seconds);

  std::string folder_;        // a reader's snapshot
  std::string index_folder_;  // only of a reader: the folder that the caller named
  IndexOptions options_;
  std::string identity_;                            // of the profiles that are looked up and added
  std::string algorithm_name_;                      // canonical
  std::unique_ptr<const PageAlgorithm> algorithm_;  // null under the paragraph method
  FolderLock lock_;
  bool is_complete_ = true;  // false: being created; the file "format" does not exist yet
  std::unique_ptr<IndexDatabase> database_;
  SiteTemplates templates_;
  SyncGate gate_;

  ScheduledMutex writer_mutex_;
  IndexCounts counts_;                          // under writer_mutex_
  bool is_generation_new_ = false;              // under writer_mutex_: the next text begins a generation
  mutable std::mutex generations_mutex_;        // guards generations_, which changes under writer_mutex_ only
  std::vector<ProfileGeneration> generations_;  // those in the database
  std::atomic<std::uint64_t> pages_{0};
  std::atomic<std::uint64_t> texts_{0};
  std::atomic<std::uint64_t> next_text_{0};
  std::atomic<bool> has_origins_{false};    // ever since it was opened; without any, none are looked for
  std::atomic<std::uint64_t> removals_{0};  // changes by TextRemoval; odd while a text is being removed
  mutable ScheduledMutex removal_mutex_;
  mutable ScheduledCondition removal_end_;
  std::unique_ptr<SearchTables> tables_;  // its background thread uses everything declared above

  mutable std::mutex searches_mutex_;
  std::vector<std::unique_ptr<CandidateSearch>> searches_;  // those not leased to a lookup; has room for all
  std::size_t searches_made_ = 0;

  mutable std::mutex warnings_mutex_;
  std::vector<std::string> warnings_;
  std::mutex publishing_mutex_;  // one snapshot at a time
  mutable std::mutex snapshot_mutex_;
  std::optional<PublishedSnapshot> snapshot_;  // the last one published; of a reader, the one that is open

  // Their threads use everything declared above.
  RepeatedTask interval_task_;
  RepeatedTask snapshot_task_;
};

// Leases scratch memory for one lookup from the pool. There are never more instances than concurrent lookups were.
class PageIndex::Implementation::SearchLease {
 public:
  explicit SearchLease(Implementation& index) : index_(index) {
    {
      const std::lock_guard lock(index.searches_mutex_);
      if (!index.searches_.empty()) {
        search_ = std::move(index.searches_.back());
        index.searches_.pop_back();
      }
    }
    if (!search_) {
      search_ = std::make_unique<CandidateSearch>(*index.database_, index.templates_, index.algorithm_.get(),
                                                  index.options_.match, index.options_.candidates);
      // The destructor must not need memory.
      const std::lock_guard lock(index.searches_mutex_);
      index.searches_.reserve(index.searches_made_ + 1);
      ++index.searches_made_;
    }
  }
  ~SearchLease() {
    const std::lock_guard lock(index_.searches_mutex_);
    index_.searches_.push_back(std::move(search_));
  }
  SearchLease(const SearchLease&) = delete;
  SearchLease& operator=(const SearchLease&) = delete;
  CandidateSearch& operator*() const { return *search_; }

 private:
  Implementation& index_;
  std::unique_ptr<CandidateSearch> search_;
};

// Lets searches without the lock notice that a text is removed while they run.
class PageIndex::Implementation::TextRemoval {
 public:
  TextRemoval(Implementation& index, bool removes_text) : index_(index), changes_(removes_text ? 1 : 0) {
    index_.removals_.fetch_add(changes_);
  }
  ~TextRemoval() {
    index_.removals_.fetch_add(changes_);
    if (changes_ != 0) index_.removal_end_.notify_all();
  }
  TextRemoval(const TextRemoval&) = delete;
  TextRemoval& operator=(const TextRemoval&) = delete;

 private:
  Implementation& index_;
  std::uint64_t changes_;
};

}  // namespace paraprint
