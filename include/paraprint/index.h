// The index of known pages: what a crawler asks, page by page, whether it has seen a text before in any form.
//
//   IndexOptions options;
//   options.identity = profiler.settings_identity();
//   auto index = PageIndex::open("pages.index", options);
//   Result<AddAnswer> answer = (*index)->look_up_or_add({.id = url, .url = url, .profile = &profile}, {});
//   if (answer->lookup.verdict == Verdict::kDistinct) ...   // new
//
// A folder on disk holds it; one process at a time opens it, and any number of its threads may call anything. Pages of
// equal text share one stored profile. Two pages are compared by the code that compares them in a batch, under the same
// rules for candidates, so both give the same verdict; docs/index.md says what differs (when site templates are
// learnt).
//
// A page whose adding was acknowledged is there after a kill of the process, and, with SyncMode::kAlways, after a power
// cut. Nothing here throws.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint {

// When an acknowledged change is safe. A kill of the process never loses one; this is about power cuts and crashes of
// the system.
enum class SyncMode : std::uint8_t {
  kAlways,    // before it is acknowledged; changes of several threads share one sync
  kInterval,  // every sync_interval_milliseconds: a power cut loses the changes since
  kNone,      // when the system likes: a power cut loses what it had not written yet (usually up to 30 s)
};

struct IndexOptions {
  // Names what made the profiles: Profiler::settings_identity(). Stored when the index is created; opening it with
  // another one is kInvalidArgument, for its profiles would not be comparable. Empty: whatever the index has.
  std::string identity;
  // How pages are judged. Not stored: thresholds may differ from one opening to the next.
  MatchOptions match;
  CandidateSearchOptions candidates;  // distance_bits at most 6: what the search tables are made for
  bool create_if_missing = true;
  SyncMode sync = SyncMode::kAlways;
  std::uint32_t sync_interval_milliseconds = 200;
  // Pages added since the search tables were last written; they are searched in memory. More of them means fewer,
  // larger steps in the background and a longer start after a kill. Range 64 to 2^20.
  std::uint32_t head_pages = 16384;

  Status validate() const;
};

// A page as it comes. Views and profile must live through the call.
struct IndexPageInput {
  std::string_view id;    // names the page in the index; empty: the URL. To be added, a page needs one
  std::string_view url;   // gives the site, whose template gets no weight; may be empty
  std::string_view date;  // when the page was fetched or published, as the caller writes dates; stored as it is
  std::uint64_t seen_at_seconds = 0;  // Unix time; 0: now
  const Profile* profile = nullptr;
};

// A page as it is stored.
struct IndexedPage {
  std::string id;
  std::string url;
  std::string date;
  std::string cluster;  // id of the page that its cluster began with; its own id if that is itself
  std::uint64_t first_seen_seconds = 0;
  std::uint64_t last_seen_seconds = 0;
  std::uint64_t text = 0;  // number of its text: equal for pages of equal text
  std::uint32_t content_characters = 0;
};

// A known page that matches the one asked about. Reads "the page asked about is <verdict> the known one".
struct IndexMatch {
  IndexedPage page;                 // the first of the pages with this text
  std::uint64_t pages_of_text = 1;  // pages with exactly this text, up to 2: more than one means there are others
  Verdict verdict = Verdict::kDistinct;
  float resemblance = 0;
  float containment_asked = 0;  // share of the page asked about that stands in the known one
  float containment_known = 0;
  float matched_characters = 0;
  std::vector<MatchedSpan> spans;  // a: the page asked about, b: the known one. Only with_evidence
};

struct LookupOptions {
  bool with_evidence = false;
  // A page of equal text is the whole answer; false: go on and list near pages too.
  bool stop_at_same = true;
  // Matches answered, best first. The best one decides the verdict, whatever this is; at least 1.
  std::uint32_t matches_maximum = 16;
  // Candidates compared, most text in common first. Above: counted in LookupWork::candidates_left_out.
  std::uint32_t candidates_maximum = 256;
};

// What an answer cost.
struct LookupWork {
  std::uint32_t table_hits = 0;           // entries of the search tables that agreed with a key
  std::uint32_t candidates = 0;           // texts behind them
  std::uint32_t profiles_read = 0;        // of those
  std::uint32_t pairs_compared = 0;       // of those, with enough in common
  std::uint32_t candidates_left_out = 0;  // over LookupOptions::candidates_maximum
  std::uint32_t keys_over_cap = 0;  // keys of the page that more than group_cap texts have; the first are compared
};

struct LookupAnswer {
  Verdict verdict = Verdict::kDistinct;  // of the best match; kDistinct: the page is new
  std::vector<IndexMatch> matches;       // same, near, contained or contains, overlap; then by resemblance, then by age
  LookupWork work;
};

enum class PageChange : std::uint8_t {
  kNew,        // no page of this id was known
  kUnchanged,  // the id was known, with this text
  kChanged,    // the id was known with another text, which is replaced
};

struct AddOptions {
  LookupOptions lookup;
  // Also store a page that is the same as or near a known one. It then has an id, a cluster and a last visit, and its
  // own text is found later; without, the index holds one page of each text and its near copies.
  bool store_copies = true;
  // Let a page whose id is known with another text take the place of that text. Without, it is not stored: its change
  // is kChanged, and is_stored false.
  bool replace_known = true;
  // With SyncMode::kAlways: return when the change is durable. Without, PageIndex::sync() makes it so, with all others
  // before it; until that has succeeded nobody may be told that the page is known.
  bool wait_for_sync = true;
};

struct AddAnswer {
  LookupAnswer lookup;  // as of the moment of adding, its own earlier text apart
  PageChange change = PageChange::kNew;
  bool is_stored = false;
  std::string cluster;  // of the page as stored; of the best match when it is not
  // With PageChange::kChanged: the new text against the one stored until now (a: new, b: stored).
  std::optional<Match> previous;
  std::vector<MatchedSpan> previous_spans;  // only with_evidence
  std::optional<Profile> previous_profile;  // of the stored text; only with_evidence
};

struct IndexStatistics {
  std::uint64_t pages = 0;
  std::uint64_t texts = 0;
  std::uint64_t next_text = 0;      // texts ever added
  std::uint64_t segments = 0;       // files of search tables
  std::uint64_t segment_bytes = 0;  // of them, mapped
  std::uint64_t head_texts = 0;     // searched in memory
  std::uint64_t head_bytes = 0;
  std::uint64_t template_bytes = 0;  // counts of paragraphs that sites repeat, in memory
  std::uint64_t sites = 0;
  std::uint64_t database_bytes = 0;  // on disk
  std::uint64_t merges = 0;          // since opening
  std::string identity;
  std::vector<std::string> warnings;  // what was repaired at opening, what the background could not do
};

// A contradiction within the stored data, and what to do about it.
struct IndexFinding {
  std::string what;    // names file or key
  std::string advice;  // a command, or what is lost
};
struct IndexVerification {
  std::uint64_t pages = 0;
  std::uint64_t texts = 0;
  std::uint64_t keys = 0;  // that were looked up in the search tables
  std::vector<IndexFinding> findings;
  std::uint64_t findings_left_out = 0;
  bool is_clean() const { return findings.empty(); }
};

class PageIndex {
 public:
  // Opens or creates the index in `folder`. Search tables that are missing or damaged are made again from the stored
  // profiles (IndexStatistics::warnings says so).
  // Errors: kInvalidArgument for options out of range, another identity, or a folder another process has open (the
  // message names it); kNotFound without create_if_missing; kUnsupported for a format of another version; kCorruptData
  // and kInputOutput name the file.
  static Result<std::unique_ptr<PageIndex>> open(const std::string& folder, const IndexOptions& options);

  // Waits for the background; everything acknowledged is already safe.
  ~PageIndex();
  PageIndex(const PageIndex&) = delete;
  PageIndex& operator=(const PageIndex&) = delete;

  // All calls below: any thread, at any time. Those that go over many pages end with kCancelled where their thread is
  // asked to stop (stop.h), as open() does. Errors: kInvalidArgument, kLimitExceeded (id or URL too long), kNotFound
  // where said, kCorruptData, kInputOutput and kNoSpace with the file's name. After a failed write nothing more is
  // accepted until the index is opened again; look-ups go on.

  // Known pages that match `page`, which is not stored. A page with the same id is one of them.
  Result<LookupAnswer> look_up(const IndexPageInput& page, const LookupOptions& options) const;

  // Looks up and adds in one step: of two pages of equal text given at once, exactly one is new. A page whose id is
  // known replaces what was stored under it.
  Result<AddAnswer> look_up_or_add(const IndexPageInput& page, const AddOptions& options);

  // Adds without looking for copies: for pages that were compared elsewhere. The page begins a cluster of its own,
  // unless a page of equal text has one. Adding what is there already changes nothing but the last visit.
  Result<PageChange> add(const IndexPageInput& page);

  // kNotFound for an unknown id or URL.
  Result<IndexedPage> get(std::string_view id) const;
  Result<IndexedPage> find_by_url(std::string_view url) const;
  Result<Profile> get_profile(std::string_view id) const;
  // Pages of the cluster that began with page `id`, that page first, up to `limit`.
  Result<std::vector<IndexedPage>> get_cluster(std::string_view id, std::size_t limit) const;

  // Whether there was such a page.
  Result<bool> remove(std::string_view id);
  // Removes the pages last seen before this time; answers how many.
  Result<std::uint64_t> expire(std::uint64_t seen_before_seconds);

  // Calls `visit` for every page, in the order of ids, as of one moment. Changes go on meanwhile; `profile`, given
  // `with_profiles`, is what is stored now, and null when the page is gone. An error of `visit` ends the call and is
  // returned.
  Status for_each_page(bool with_profiles,
                       const std::function<Status(const IndexedPage&, const Profile* profile)>& visit) const;

  Result<IndexStatistics> statistics() const;

  // Reads everything: checksums, pages against texts, keys against search tables. Minutes for millions of pages;
  // `with_search_tables` false leaves out the last, longest part. Changes have to wait meanwhile, look-ups do not.
  Result<IndexVerification> verify(bool with_search_tables) const;

  // Makes room: drops what deleted pages left behind, in the search tables and on disk.
  Status compact();

  // A copy of the index as of one moment in `folder`, which must not exist. Look-ups and changes go on. Files are
  // linked where the file system can, else copied. A backup is an index: it can be opened, or restored from.
  Status backup(const std::string& folder) const;

  // Makes everything acknowledged so far survive a power cut, whatever the SyncMode.
  Status sync();

  // Whether changes are taken now: the error that stops them, if one does. kNoSpace while search tables wait for room,
  // which passes by itself; any other until the index is opened again. Look-ups go on.
  Status check_writable() const;

  const std::string& identity() const;

 private:
  class Implementation;
  explicit PageIndex(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

// Copies the index in `backup` to `folder`, which must not exist, and checks every byte of the copy.
Status restore_index(const std::string& backup, const std::string& folder);

// deduplicate() against an index: pages that are the same as or near to a known one (with SurvivorOptions::
// remove_contained also those contained in one) are removed first, by look_up() as the index was when the run began;
// the others are compared with each other as ever; what is kept is added, after all output is written. The index is
// made if there is none. A run that goes on, and a finished one called again, removes and adds the same pages. Errors:
// those of deduplicate() and of PageIndex; kInvalidArgument for another algorithm than the paragraph method.
Result<DedupOutcome> deduplicate_with_index(const DedupOptions& options, const std::string& index_folder,
                                            const ProgressCallback& progress);

std::string_view page_change_name(PageChange change);  // "new", "unchanged", "changed"

}  // namespace paraprint
