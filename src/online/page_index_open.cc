// Opening and closing an index for changes.
//
// A folder becomes an index when its file "format" is written, which is the last step of creating one. If creation was
// interrupted, the folder holds only our own files and is completed by the next call that opens it with the same
// settings. The lock is held from before the first file is touched until after the last one is closed.
#include <fmt/format.h>

#include <chrono>
#include <new>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "online/index_copy.h"
#include "online/index_format.h"
#include "online/page_index_state.h"
#include "paraprint/algorithms.h"
#include "profile/profile_versions.h"

namespace paraprint {
namespace {

constexpr std::uint32_t kHeadPagesMinimum = 64;
constexpr std::uint32_t kHeadPagesMaximum = 1 << 20;
constexpr std::uint32_t kSyncIntervalMaximum = 3'600'000;
constexpr std::uint32_t kSnapshotsMaximum = 86'400 * 366;

// Adds advice to an error of opening. Damaged search tables are rebuilt, so damage reported here is in the database,
// which can only come back from a backup.
tl::unexpected<Error> opening_failure(Error error) {
  if (error.code == ErrorCode::kCorruptData) error.message += "; restore a backup ('paraprint index restore')";
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace

Status IndexOptions::validate() const {
  PARAPRINT_TRY(match.validate());
  PARAPRINT_TRY(candidates.validate());
  if (candidates.candidate_bits > kSearchDistanceBits) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("the candidate distance is {} bits; an index supports at most {}",
                               candidates.candidate_bits, kSearchDistanceBits));
  }
  if (head_pages < kHeadPagesMinimum || head_pages > kHeadPagesMaximum) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("head_pages is {}; it must be {} to {}", head_pages,
                                                            kHeadPagesMinimum, kHeadPagesMaximum));
  }
  if (sync_interval_milliseconds < 1 || sync_interval_milliseconds > kSyncIntervalMaximum) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("sync_interval_milliseconds is {}; it must be 1 to {}",
                                                            sync_interval_milliseconds, kSyncIntervalMaximum));
  }
  if (snapshots > kSnapshotsMaximum) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("snapshots is {}; it must be 0 to {} seconds", snapshots, kSnapshotsMaximum));
  }
  if (read_only && snapshots > 0) {
    return failure(ErrorCode::kInvalidArgument,
                   "snapshots are published by the process that changes the index, not by a read-only one");
  }
  return {};
}

PageIndex::Implementation::Implementation(std::string folder, const IndexOptions& options)
    : folder_(std::move(folder)), options_(options), gate_([this] { return database_->sync(); }) {}

// The order matters: the interval task uses the gate, a snapshot is made of the tables and the database, the background
// thread of the tables and the pooled searches use the database, and the folder stays locked until all of them have
// closed their files.
PageIndex::Implementation::~Implementation() {
  snapshot_task_.stop();
  interval_task_.stop();
  if (database_ && !options_.read_only && options_.sync != SyncMode::kNone) sync_in_background();
  if (tables_ && !options_.read_only && has_snapshots()) publish_in_background();
  tables_.reset();
  searches_.clear();
  database_.reset();
}

Status PageIndex::Implementation::lock_folder() {
  PARAPRINT_ASSIGN(lock_, FolderLock::exclusive(folder_));
  return {};
}

// Creates nothing. Accepts a folder without "format" only if it is empty or was left by an interrupted creation. A
// mistyped folder name must not fill somebody's directory with database files.
Status PageIndex::Implementation::open_format() {
  Status known = check_index_format(folder_);
  is_complete_ = known.has_value();
  if (known || known.error().code != ErrorCode::kNotFound) return known;
  PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(folder_));
  for (const std::string& name : names) {
    if (name != "lock" && name != "database" && name != "tables" && name != "format.partial") {
      return failure(
          ErrorCode::kInvalidArgument,
          fmt::format("{} is not an index and contains other files ({}); choose a new folder", folder_, name));
    }
  }
  return {};
}

Status PageIndex::Implementation::open_database() {
  PARAPRINT_TRY(create_folders(folder_ + "/database"));
  PARAPRINT_TRY(create_folders(folder_ + "/tables"));
  const DatabaseAccess access = is_complete_ ? DatabaseAccess::kChange : DatabaseAccess::kCreate;
  PARAPRINT_ASSIGN(database_, IndexDatabase::open(folder_ + "/database", access));
  return {};
}

Status PageIndex::Implementation::open_counts() {
  std::string counts;
  PARAPRINT_ASSIGN(const bool has_counts, database_->get_setting("counts", counts));
  if (has_counts) {
    PARAPRINT_TRY(decode_index_counts(counts, counts_));
  }
  // If RocksDB's list of files (MANIFEST) is damaged, RocksDB may open without some of its files and report no error.
  std::uint64_t last = 0;
  PARAPRINT_ASSIGN(const bool has_texts, database_->last_text(last));
  if (counts_.texts > 0 && !has_texts) {
    return failure(ErrorCode::kCorruptData, fmt::format("the index database {}/database is missing all of its {} texts",
                                                        folder_, counts_.texts));
  }
  pages_ = counts_.pages;
  texts_ = counts_.texts;
  next_text_ = counts_.next_text;
  PARAPRINT_ASSIGN(const bool has_origins, database_->has_origins());
  has_origins_ = has_origins;
  return {};
}

// Reads the counts and the settings identity, or writes the identity of a new index. The identity is synced before
// "format" is written, and so is the name of the folder: an index that passes for complete always has them.
Status PageIndex::Implementation::open_settings() {
  PARAPRINT_TRY(open_counts());
  PARAPRINT_ASSIGN(const bool has_identity, database_->get_setting("identity", identity_));
  PARAPRINT_TRY(open_algorithm(!has_identity));
  if (!has_identity) {
    if (options_.identity.empty()) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("creating an index requires the identity of its settings"));
    }
    identity_ = options_.identity;
  }
  PARAPRINT_TRY(open_generations());
  PARAPRINT_TRY(check_identity());
  if (is_complete_) return {};
  // A new index, or one whose creation was interrupted between writing the settings and "format".
  IndexBatch batch;
  put_generations(batch, generations_);
  if (algorithm_) database_->put_setting(batch, "algorithm", algorithm_name_);
  PARAPRINT_TRY(database_->write(batch));
  PARAPRINT_TRY(database_->sync());
  PARAPRINT_TRY(sync_folders_above(folder_));
  return write_index_format(folder_, kIndexFormat.version);
}

// The first generation is stored twice, because a migration from format 4 must leave its identity where it was.
void PageIndex::Implementation::put_generations(IndexBatch& batch,
                                                const std::vector<ProfileGeneration>& generations) const {
  database_->put_setting(batch, "identity", generations.front().identity);
  database_->put_setting(batch, "generations", encode_profile_generations(generations));
}

Status PageIndex::Implementation::open_generations() {
  std::string stored;
  PARAPRINT_ASSIGN(const bool is_stored, database_->get_setting("generations", stored));
  if (is_stored) return decode_profile_generations(stored, generations_);
  generations_ = {{0, identity_}};
  if (!is_complete_) return {};
  return failure(ErrorCode::kCorruptData, fmt::format("the index database {}/database has lost its settings", folder_));
}

// Profiles of another version of the rules can be compared, so an index outlives them. Their texts begin a generation,
// with the first of them that is added.
Status PageIndex::Implementation::check_identity() {
  identity_ = generations_.back().identity;
  if (options_.identity.empty()) return {};
  const IdentityDifference difference = compare_identities(identity_, options_.identity);
  if (difference == IdentityDifference::kNone) return {};
  if (difference == IdentityDifference::kRules) {
    identity_ = options_.identity;
    is_generation_new_ = true;
    return {};
  }
  const bool is_format = difference == IdentityDifference::kFormat;
  return failure(is_format ? ErrorCode::kUnsupported : ErrorCode::kInvalidArgument,
                 fmt::format("the profiles in the index {} were made with different settings:\n"
                             "  index: {}\n  now:   {}\n{}",
                             folder_, identity_, options_.identity,
                             is_format ? "this build cannot compare with profiles of that format; add the pages to a "
                                         "new index"
                                       : "use the settings of the index, or add the pages to a new one"));
}

// An index of the paragraph method does not store its name.
Status PageIndex::Implementation::open_algorithm(bool is_new) {
  PARAPRINT_ASSIGN(std::string asked,
                   canonical_algorithm(options_.algorithm.empty() ? kParagraphMethod : options_.algorithm));
  algorithm_name_ = asked;
  if (!is_new) {
    PARAPRINT_ASSIGN(const bool is_stored, database_->get_setting("algorithm", algorithm_name_));
    if (!is_stored) algorithm_name_ = kParagraphMethod;
    // Another identity is reported as such.
    const bool is_other_identity =
        !options_.identity.empty() && compare_identities(options_.identity, identity_) > IdentityDifference::kRules;
    if (!is_other_identity && !options_.algorithm.empty() && asked != algorithm_name_) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("the index {} compares pages by {}, not by {}", folder_, algorithm_name_, asked));
    }
  }
  if (algorithm_name_ == kParagraphMethod) return {};
  PARAPRINT_ASSIGN(algorithm_, PageAlgorithm::create(algorithm_name_));
  return {};
}

Status PageIndex::Implementation::open_tables(const RunControl& control, std::shared_ptr<const SearchView> earlier) {
  SearchTablesOptions options;
  options.folder = folder_ + "/tables";
  options.head_pages = options_.head_pages;
  options.waiting_maximum = options_.waiting_maximum;
  options.has_summaries = algorithm_ && algorithm_->has_summaries();
  options.has_near_keys = !algorithm_ || algorithm_->has_near_keys();
  options.is_read_only = options_.read_only;
  options.earlier = std::move(earlier);
  options.control = control;
  const auto read_keys = [algorithm = algorithm_.get()](std::string_view record, TextKeys& keys) {
    return read_text_keys(record, algorithm, keys);
  };
  PARAPRINT_ASSIGN(tables_, SearchTables::open(options, *database_, read_keys, templates_, writer_mutex_, next_text_));
  // Recovery may have found texts beyond the count that was stored last.
  counts_.next_text = next_text_;
  warn_of_generations();
  return {};
}

std::vector<IndexGeneration> PageIndex::Implementation::generations() const {
  const std::lock_guard lock(generations_mutex_);
  std::vector<IndexGeneration> result;
  for (std::size_t i = 0; i < generations_.size(); ++i) {
    const std::uint64_t end = i + 1 < generations_.size() ? generations_[i + 1].first_text : next_text_.load();
    const std::uint64_t first = generations_[i].first_text;
    result.push_back({generations_[i].identity, first, end - std::min(first, end)});
  }
  return result;
}

// A caller without settings compares nothing.
void PageIndex::Implementation::warn_of_generations() {
  if (options_.identity.empty()) return;
  std::uint64_t others = 0;
  for (const IndexGeneration& generation : generations()) {
    if (generation.identity != identity_) others += generation.added;
  }
  if (others == 0) return;
  warn(
      fmt::format("{}: up to {} of its {} texts were made under another version of the rules that make profiles of "
                  "pages ('paraprint index stats' lists them). Where these rules differ, copies of their pages may be "
                  "missed. A page that is added again is renewed if its text has become another one; to renew all, "
                  "add the pages to a new index",
                  folder_, others, next_text_.load()));
}

Result<std::unique_ptr<PageIndex::Implementation>> PageIndex::Implementation::open(const std::string& folder,
                                                                                   const IndexOptions& options,
                                                                                   const RunControl& control) {
  PARAPRINT_TRY(options.validate());
  if (options.read_only) return open_to_read(folder, options, control, nullptr);
  // Checked before any folder is created: opening an index that is not there must leave no trace.
  if (!options.create_if_missing) {
    PARAPRINT_TRY(check_index_format(folder));
  }
  PARAPRINT_TRY(create_folders(folder));
  std::unique_ptr<Implementation> index(new Implementation(folder, options));
  // The format is checked before the lock is written into the folder, which may be somebody's, and again under the
  // lock: until then another process may change it.
  for (const auto step :
       {&Implementation::open_format, &Implementation::lock_folder, &Implementation::open_format,
        &Implementation::open_database, &Implementation::open_settings, &Implementation::open_snapshots}) {
    if (Status done = (index.get()->*step)(); !done) return opening_failure(done.error());
  }
  if (Status opened = index->open_tables(control, nullptr); !opened) return opening_failure(opened.error());
  if (Status started = index->start_tasks(); !started) return opening_failure(started.error());
  return index;
}

// The gate returns at once if nothing was written since the last sync, so an idle index costs no disk access.
Status PageIndex::Implementation::start_tasks() {
  if (options_.sync == SyncMode::kInterval) {
    const std::chrono::milliseconds pause(options_.sync_interval_milliseconds);
    PARAPRINT_TRY(interval_task_.start("syncs the index", pause, [this] { sync_in_background(); }));
  }
  if (options_.snapshots == 0) return {};
  const std::chrono::seconds pause(options_.snapshots);
  return snapshot_task_.start("publishes snapshots of the index", pause, [this] { publish_in_background(); });
}

// After a failure, the database refuses further changes; nothing waits for this sync.
void PageIndex::Implementation::sync_in_background() noexcept {
  try {
    static_cast<void>(gate_.wait_for_all());
  } catch (const std::bad_alloc&) {
  }
}

Status PageIndex::Implementation::compact() {
  PARAPRINT_TRY(tables_->compact());
  return database_->compact();
}

}  // namespace paraprint
