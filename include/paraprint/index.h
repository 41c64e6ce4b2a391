// The index of known pages: tells a crawler, page by page, whether it has seen a text before, verbatim or edited.
//
// Example:
//
//   Result<Profiler> profiler = Profiler::create({});
//   IndexOptions options;
//   options.identity = profiler->settings_identity();
//   Result<std::unique_ptr<PageIndex>> index = PageIndex::open("pages.index", options);
//   if (!index) return;  // index.error().message
//   Page page;
//   page.body = "<p>...</p>";
//   IndexPageInput input;
//   input.url = "https://example.org/";
//   input.profile = &profiler->profile(page);
//   Result<AddOutcome> answer = (*index)->lookup_or_add(input, {});
//   const bool is_new = answer && answer->lookup.verdict == Verdict::kDistinct;
//
// The index is a folder on disk. One process at a time can change it; its threads may call any function at any time.
// Any number of processes may read it (IndexOptions::read_only). Pages with equal text share one stored profile. Pages
// are compared by the same code and the same candidate rules as in a batch run, so verdicts agree; docs/index.md
// describes the one difference (when site templates are learnt).
//
// An acknowledged page survives a kill of the process and, with SyncMode::kAlways, a power failure.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/page_fingerprint.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

// When changes are synced to disk. This matters for power failures and system crashes only: a kill of the process never
// loses an acknowledged change.
enum class SyncMode : std::uint8_t {
  kAlways,    // before a change is acknowledged; concurrent changes share one sync
  kInterval,  // every sync_interval_milliseconds: a power failure loses the changes since the last sync
  kNone,      // left to the system: a power failure loses what it has not written yet (usually up to 30 s)
};

struct IndexOptions {
  // Profiler::settings_identity() of the profiles. Stored when the index is created; opening the index with a different
  // one is kInvalidArgument, because the profiles would not be comparable. One that differs only in the version of the
  // rules of extraction, of the text tables or of ICU gives a warning (docs/index.md#profiles-of-several-versions).
  // Empty: accept the stored identity.
  std::string identity;
  // ProfileOptions::algorithm of the profiles. Stored when the index is created; opening the index with another one is
  // kInvalidArgument. Empty: the stored one, or for a new index the paragraph method. kInvalidArgument, with the
  // reason, also for an algorithm that an index cannot use (docs/index.md#other-algorithms).
  std::string algorithm;
  // How pages are compared. Not stored: thresholds may change whenever the index is opened.
  MatchOptions match;
  CandidateSearchOptions candidates;  // distance_bits at most 6, the limit of the search tables
  bool create_if_missing = true;
  SyncMode sync = SyncMode::kAlways;
  std::uint32_t sync_interval_milliseconds = 200;
  // Pages kept in the in-memory part of the search tables before it is written out. A larger value means fewer but
  // larger background steps and a slower start after a kill. Range 64 to 2^20.
  std::uint32_t head_pages = 16384;
  // Open the index for lookups only, without writing anything to its folder: the newest snapshot if there is one, which
  // works while another process changes the index, or the index itself if no process has it open for changes; none can
  // then open it for that. Every change is kInvalidArgument. `create_if_missing` has no effect.
  bool read_only = false;
  // Seconds between two snapshots for readers, as snapshot() publishes them, if anything has changed; 0: none at
  // intervals. An index that has snapshots gets one in any case when it is closed after a change.
  std::uint32_t snapshots = 0;
  // So many calls at once may wait while more full heads than may be in memory are being written, as during a long
  // merge or backup; further ones are kNoSpace. A program with a fixed number of threads keeps some of them for lookups
  // so.
  std::uint32_t waiting_maximum = std::numeric_limits<std::uint32_t>::max();

  Status validate() const;
};

// An incoming page. Views and profile must stay valid during the call.
struct IndexPageInput {
  std::string_view id;    // names the page in the index; empty: the URL. Adding a page requires one of the two
  std::string_view url;   // determines the site, whose template text gets no weight; may be empty
  std::string_view date;  // when the page was fetched or published, in any format; stored unchanged
  std::uint64_t seen_at_seconds = 0;  // Unix time; 0: now
  const Profile* profile = nullptr;
  // Profiler::fingerprint(). Required by an index of a page-level algorithm, which reads only the number of characters
  // from the profile; ignored under the paragraph method.
  const PageFingerprint* fingerprint = nullptr;
  // Profiler::origin(): what the page states of its publication, which is stored with it. Empty: nothing is, and what
  // is stored of a page whose text has not changed stays. kInvalidArgument if it is malformed.
  std::string_view origin;
  // Profiler::settings_identity() of the profile's profiler. Empty: unknown, and the caller answers for it. A profile
  // made with settings whose values cannot be compared with those of the index is kInvalidArgument.
  std::string_view settings = {};
};

// The id by which an index should know a page of an input: its own or, without one (Page::has_id_of_place), its URL or
// place with the hash of its text: "http://example.org/#0123...", "pages.jsonl:7#0123...". So no other page of an input
// replaces it, and it is the same page when it comes again. O(length).
std::string id_in_index(const Page& page, const Profile& profile);

// What a page states of its publication (docs/provenance.md).
struct PageStatement {
  PageMetadata metadata;        // dates, author, names and addresses; the other members are empty
  std::string_view date_place;  // where date_published was read: "json-ld", ..., "text"; empty without a date
};

// Which known pages count, by what they state: those added with IndexPageInput::origin. Empty members do not filter; of
// several, each has to pass.
struct StatementFilter {
  // Days or moments in ISO 8601, both included, compared with the date of publication. A day includes all of its
  // moments. Pages without a date do not pass.
  std::string published_from;
  std::string published_until;
  // Host or name of the source that a page states: "example.org", which includes its subdomains, or "新华网".
  std::string source;
  // Host of the page's URL, likewise with subdomains, or the name of its site as it states it.
  std::string site;

  bool is_empty() const { return published_from.empty() && published_until.empty() && source.empty() && site.empty(); }
  // kInvalidArgument for a date that is not understood.
  Status validate() const;
};

// A stored page.
struct IndexedPage {
  std::string id;
  std::string url;
  std::string date;
  // Name of its cluster: the id of the cluster's first page, which may be its own. If that page has left a cluster of
  // this name to others before, "##" and a number follow.
  std::string cluster;
  std::uint64_t first_seen_seconds = 0;
  std::uint64_t last_seen_seconds = 0;
  std::uint64_t text = 0;  // text number; pages with equal text share it
  std::uint32_t content_characters = 0;
  std::optional<PageStatement> stated;  // if the page was added with IndexPageInput::origin
};

// A known page that matches the queried one. The verdict reads "the queried page is <verdict> the known one".
struct IndexMatch {
  IndexedPage page;                 // which had this text first, or the next one by id since that left
  std::uint64_t pages_of_text = 1;  // pages with exactly this text, counted up to 2: 2 means two or more
  Verdict verdict = Verdict::kDistinct;
  float resemblance = 0;
  float containment_asked = 0;  // share of the queried page that is in the known one
  float containment_known = 0;  // share of the known page that is in the queried one
  float matched_characters = 0;
  std::vector<MatchedSpan> spans;  // a: the queried page, b: the known one. Only with LookupOptions::evidence
};

struct LookupOptions {
  bool evidence = false;  // also return the spans that match
  // List near pages also if a page with equal text is known; false: return that page alone.
  bool all = false;
  // Number of matches returned, best first; at least 1. The verdict is always that of the best match.
  std::uint32_t matches = 16;
  // Number of candidates compared, most text in common first. The rest is counted in LookupWork::candidates_left_out.
  std::uint32_t max_candidates = 256;
  // Other pages do not match. A lookup reads at most 4,096 pages to find some that pass. Only for lookup(): adding with
  // a filter is kInvalidArgument, because a page that is known would be new.
  StatementFilter filter;
};

// Work done for a lookup.
struct LookupWork {
  std::uint32_t table_hits = 0;           // search table entries that matched a key
  std::uint32_t candidates = 0;           // distinct texts among the hits
  std::uint32_t profiles_read = 0;        // candidates whose profile was read
  std::uint32_t pairs_compared = 0;       // profiles read that had enough in common
  std::uint32_t candidates_left_out = 0;  // beyond LookupOptions::max_candidates
  std::uint32_t keys_over_cap = 0;  // keys shared by more than group_cap texts, of which only the first are compared
};

struct LookupOutcome {
  Verdict verdict = Verdict::kDistinct;  // of the best match; kDistinct: the page is new
  std::vector<IndexMatch> matches;       // same, near, contained or contains, overlap; then by resemblance, then by age
  LookupWork work;
};

enum class PageChange : std::uint8_t {
  kNew,        // the id was unknown
  kUnchanged,  // the id was known, with the same text
  kChanged,    // the id was known with different text, which is replaced if AddOptions::replace_known
};

struct AddOptions {
  LookupOptions lookup;
  // Also store pages that are the same as or near a known one. They then have an id, a cluster and a time of last
  // visit, and later lookups can match their text. If false, the index holds one page per group of near copies.
  bool copies = true;
  // Replace the stored text when a known id arrives with different text. If false, the page is not stored and
  // AddOutcome reports kChanged with is_stored == false.
  bool replace_known = true;
  // With SyncMode::kAlways, return only when the change is durable. If false, PageIndex::sync() makes this and all
  // earlier changes durable; do not acknowledge the page to clients before sync() succeeds.
  bool wait_for_sync = true;
};

struct AddOutcome {
  LookupOutcome lookup;  // as of the moment of adding; excludes this id's earlier text
  PageChange change = PageChange::kNew;
  bool is_stored = false;
  std::string cluster;  // of the stored page, or of the best match if the page was not stored
  // With PageChange::kChanged: the new text compared with the one stored so far (a: new, b: stored).
  std::optional<Match> previous;
  std::vector<MatchedSpan> previous_spans;  // only with LookupOptions::evidence
  std::optional<Profile> previous_profile;  // of the stored text; only with LookupOptions::evidence
};

struct TraceOptions {
  StatementFilter filter;       // leaves pages out of the answer, after all have been traced
  std::uint32_t pages = 1'000;  // of the cluster that are traced, the first ones by id. Range 1 to 10,000
};

// Who copied from whom in a cluster (docs/provenance.md).
struct TracedCopies {
  std::string cluster;  // its name (IndexedPage::cluster)
  // A JSON object for each page, by id, with the members of provenance.jsonl; its `cluster` is the one above.
  std::vector<std::string> pages;
  std::uint64_t pages_filtered_out = 0;
  bool has_more = false;  // pages beyond TraceOptions::pages
};

// Texts that were made under one settings identity. Another version of the rules, or of the tables of words, begins a
// new generation.
struct IndexGeneration {
  std::string identity;
  std::uint64_t first_text = 0;  // number of the first one
  std::uint64_t added = 0;       // texts added under this identity, deleted ones included
};

struct IndexStatistics {
  std::uint64_t pages = 0;
  std::uint64_t texts = 0;
  std::uint64_t next_text = 0;      // texts ever added
  std::uint64_t segments = 0;       // search table files
  std::uint64_t segment_bytes = 0;  // their total size, mapped
  std::uint64_t head_texts = 0;     // searched in memory
  std::uint64_t head_bytes = 0;
  std::uint64_t template_bytes = 0;  // in-memory counts of paragraphs that sites repeat
  std::uint64_t sites = 0;
  std::uint64_t database_bytes = 0;  // on disk
  std::uint64_t merges = 0;          // since opening
  std::string identity;
  bool read_only = false;
  std::uint64_t snapshot = 0;          // the one that is open, or the last one published; 0: none
  std::uint64_t snapshot_seconds = 0;  // when it was taken, Unix time
  std::vector<IndexGeneration> generations;
  std::vector<std::string> warnings;  // repairs made when opening, and failures of background work
};

// A stored text with its first page. Views are valid during the call that gives it.
struct IndexedText {
  std::uint64_t text = 0;  // its number
  IndexedPage page;
  std::uint64_t site = 0;                          // of the page that introduced it; 0: none
  std::vector<std::uint16_t> template_paragraphs;  // those that have no weight in a match, ascending
  std::string_view profile;                        // encoded (docs/formats/profile.md)
};

// An inconsistency in the stored data and how to resolve it.
struct IndexFinding {
  std::string what;    // names the file or key
  std::string advice;  // a command to run, or the data that is lost
};
struct VerifyOutcome {
  std::uint64_t pages = 0;
  std::uint64_t texts = 0;
  std::uint64_t keys = 0;  // looked up in the search tables
  std::vector<IndexFinding> findings;
  std::uint64_t findings_left_out = 0;
  bool is_clean() const { return findings.empty(); }
};

class PageIndex {
 public:
  // Opens or creates the index in `folder`. Missing or damaged search tables are rebuilt from the stored profiles and
  // reported as warnings and in IndexStatistics::warnings.
  // Progress: texts of search tables that are rebuilt. Errors: kInvalidArgument for options out of range, a different
  // identity, or a folder that another process has open (the message names the process); kNotFound without
  // create_if_missing; kUnsupported for another format version, with what to do; kCorruptData and kInputOutput, naming
  // the file.
  static Result<std::unique_ptr<PageIndex>> open(const std::string& folder, const IndexOptions& options,
                                                 const RunControl& control = {});

  // Waits for background work; everything acknowledged is already safe. In a forked process it only lets go of the
  // memory's owner: the files stay those of the process that opened them.
  ~PageIndex();
  PageIndex(const PageIndex&) = delete;
  PageIndex& operator=(const PageIndex&) = delete;

  // All functions below are thread-safe. Of `control` they use the stop flag only: progress and warnings are not
  // reported, except by refresh(). Errors: kInvalidArgument, kLimitExceeded (is_about_page()), kNotFound where stated,
  // and kCorruptData, kInputOutput and kNoSpace, naming the file. After a failed write, the index rejects further
  // changes until it is reopened; lookups still work. After std::bad_alloc out of a read of the database, all calls
  // that read are kInputOutput until the process is started again. In a process forked after open(), all of them fail
  // with kInvalidArgument.

  // Finds known pages that match `page`, without storing it. A stored page with the same id can be among them.
  Result<LookupOutcome> lookup(const IndexPageInput& page, const LookupOptions& options) const;

  // Looks up and adds atomically: of two pages with equal text added concurrently, exactly one is new. A page with a
  // known id replaces the stored one, unless AddOptions::replace_known is false. May have to wait
  // (IndexOptions::waiting_maximum); kCancelled if the thread is asked to stop meanwhile.
  Result<AddOutcome> lookup_or_add(const IndexPageInput& page, const AddOptions& options);

  // Adds a page without looking for copies, for pages compared elsewhere. The page starts its own cluster unless a page
  // with equal text already has one. Adding an unchanged page only updates its last visit.
  Result<PageChange> add(const IndexPageInput& page);

  // Whether an error of the three functions above is about that page alone, which no index takes: its id, URL or date
  // is too long, or its text has more than 2^20 search keys. Nothing was changed, and other pages can be added.
  bool is_about_page(const Error& error) const;

  // kNotFound for an unknown id or URL.
  Result<IndexedPage> get(std::string_view id) const;
  Result<IndexedPage> find_by_url(std::string_view url) const;
  // In an index of a page-level algorithm, profiles have no paragraphs.
  Result<Profile> get_profile(std::string_view id) const;
  // kNotFound also under the paragraph method.
  Result<PageFingerprint> get_fingerprint(std::string_view id) const;
  // Up to `limit` pages of the cluster of this name (IndexedPage::cluster), the one that it began with first.
  Result<std::vector<IndexedPage>> get_cluster(std::string_view name, std::size_t limit) const;
  // Calls `visit` for these pages in the same order, each after it was read, until it returns false: for callers that
  // do not know how many they can take, since strangers choose the names of pages. Errors also as get().
  Status for_each_page_of_cluster(std::string_view name, const std::function<bool(IndexedPage&& page)>& visit) const;

  // Traces the pages of the cluster of page `id` to each other, by what they state and by their texts. kNotFound for an
  // unknown id; kInvalidArgument for options out of range. Cost: reads the pages; some 0.1 ms for each of up to 64, and
  // for each of many more.
  Result<TracedCopies> trace(std::string_view id, const TraceOptions& options, const RunControl& control = {}) const;

  // Returns whether the page existed.
  Result<bool> remove(std::string_view id);
  // Removes the pages last seen before this Unix time and returns their number. A call that was stopped has
  // removed some of them.
  Result<std::uint64_t> expire(std::uint64_t seen_before_seconds, const RunControl& control = {});

  // Calls `visit` for every page of a snapshot, in order of id; changes are not blocked. With `with_profiles`,
  // `profile` is the current one rather than the snapshot's, and null if the page has since been removed. An error from
  // `visit` ends the call and is returned.
  Status for_each_page(bool with_profiles,
                       const std::function<Status(const IndexedPage&, const Profile* profile)>& visit,
                       const RunControl& control = {}) const;
  // Calls `visit` for every text of a snapshot, the oldest first; changes are not blocked. An error from `visit` ends
  // the call and is returned.
  Status for_each_text(const std::function<Status(const IndexedText&)>& visit, const RunControl& control = {}) const;
  // At most `limit` ids after `id`, in byte order, so that a large index can be listed in pieces. Costs one seek.
  Result<std::vector<std::string>> ids_after(std::string_view id, std::size_t limit) const;

  Result<IndexStatistics> statistics() const;

  // Checks everything: checksums, pages against texts, keys against search tables. Takes minutes for millions of pages;
  // with_search_tables == false skips the last and longest part. Blocks changes, but not lookups.
  Result<VerifyOutcome> verify(bool with_search_tables, const RunControl& control = {}) const;

  // Reclaims the space of deleted pages, in the search tables and on disk.
  Status compact(const RunControl& control = {});

  // Writes a consistent snapshot of the index to `folder`, which must not exist. Lookups and changes are not blocked.
  // Files are hard-linked if the file system allows it, else copied. A backup is itself an index. kInvalidArgument also
  // while another copy to `folder` is being made.
  Status backup(const std::string& folder, const RunControl& control = {}) const;

  // Publishes the index as it is now for readers, as backup() does but in the folder "snapshots" of the index, and
  // removes the snapshots before the last one that no reader has open. Does nothing if nothing has changed since the
  // last snapshot. Lookups and changes are not blocked.
  Status snapshot(const RunControl& control = {});

  // Of an index opened read_only: opens the newest snapshot, unless it is open already, and returns whether it did.
  // Calls in progress end on the one before. After an error the one before stays open. Memory is that of both; the
  // search tables that they share are read once.
  Result<bool> refresh(const RunControl& control = {});

  // Makes everything acknowledged so far survive a power failure, whatever the SyncMode.
  Status sync();

  // The error that currently prevents changes, if any. kNoSpace, while search tables cannot be written, clears itself
  // once there is room; any other error lasts until the index is reopened. Lookups work in either case, unless
  // check_readable() has an error, which then is the one of check_writable(), too.
  Status check_writable() const;
  // The error of all calls that read after std::bad_alloc out of a read of the database: kInputOutput.
  Status check_readable() const;

  const std::string& identity() const;
  // The algorithm by which pages are compared, with all its parameters; "paragraph" for the paragraph method.
  const std::string& algorithm() const;

 private:
  class Implementation;
  explicit PageIndex(std::unique_ptr<Implementation> implementation);
  Result<std::shared_ptr<Implementation>> current() const;
  Result<std::shared_ptr<Implementation>> changeable() const;

  std::mutex refresh_mutex_;  // one refresh at a time
  mutable std::mutex mutex_;  // guards implementation_
  std::shared_ptr<Implementation> implementation_;
  const std::string identity_;
  const std::string algorithm_;
  const std::string folder_;
  const int process_;  // that opened the index
};

// Whether an index can use an algorithm (IndexOptions::algorithm). Errors: those of canonical_algorithm();
// kInvalidArgument with the reason.
Status check_index_algorithm(std::string_view specification);

// Copies the index in `backup` to `folder`, which must not exist, and checks every byte of the copy. A backup of an
// older format is migrated in the copy. No progress and no warnings. After an error, including kCancelled, `folder`
// does not exist. kInvalidArgument also while another copy to `folder` is being made.
Status restore_index(const std::string& backup, const std::string& folder, const RunControl& control = {});

// From the format of an index to the one of this build.
struct IndexMigration {
  std::uint32_t from = 0;  // versions of the folder (docs/formats/index.md)
  std::uint32_t to = 0;
  std::vector<std::string> steps;  // what each one does, in order; empty: nothing is to be done
};
// What migrate_index() would do; changes nothing. Errors: those of migrate_index().
Result<IndexMigration> plan_index_migration(const std::string& folder);
// Converts the index to the format of this build, in place, and opens it once, which rebuilds search tables. A call
// that was stopped or killed leaves an index that either the older build or this one opens, with everything in it;
// calling it again completes it. Progress and warnings: those of rebuilding. Errors: those of PageIndex::open();
// kUnsupported with what to do for a format from before the first release, or of a later build.
Result<IndexMigration> migrate_index(const std::string& folder, const RunControl& control = {});

// deduplicate() against an index, which is created if missing. First, pages that are the same as or near a known one
// (or contained in one, with SurvivorOptions::remove_contained) are removed by lookup() in the index as it was when
// the run started. The rest is compared as usual, and the kept pages are added to the index after all output has been
// written. A resumed or repeated run removes and adds the same pages; to one that is restarted over the same inputs, or
// repeated with other options of matching, the pages that runs into this output folder have added do not count as known
// (docs/index.md). Warnings and errors: those of deduplicate() and PageIndex; kInvalidArgument for any algorithm other
// than the paragraph method. Pages have the names that id_in_index() gives; those that no index takes are kept and not
// added, each with a warning.
Result<DedupOutcome> deduplicate_with_index(const DedupOptions& options, const std::string& index_folder,
                                            const RunControl& control = {});

std::string_view page_change_name(PageChange change);  // "new", "unchanged", "changed"

// ---------------------------------------------------------------------------------------------------------------------
// Answers as JSON: one object without a trailing newline, as printed by `paraprint index` and sent by the service.
// docs/cli.md and docs/service.md describe the fields; published fields are never removed. Thread-safe; O(answer).

// `page.profile` must not be null.
std::string lookup_json(const IndexPageInput& page, const LookupOutcome& answer);
std::string added_json(const IndexPageInput& page, const AddOutcome& answer);
// The fingerprints of `profile` are included unless it is null.
std::string stored_page_json(const IndexedPage& page, const Profile* profile);
// `id`: the page that was asked for.
std::string trace_json(std::string_view id, const TracedCopies& traced);
std::string statistics_json(const IndexStatistics& statistics);
std::string verification_json(const VerifyOutcome& verification);
std::string deletion_json(std::string_view id, bool was_there);
std::string migration_json(const IndexMigration& migration, bool is_done);

}  // namespace paraprint
