// Opening and closing an index, and the public calls, which only forward.
//
// A folder becomes an index when its file "format" is written, which is the last step of creating one. If creation was
// interrupted, the folder holds only our own files and is completed by the next call that opens it with the same
// settings. The lock is held from before the first file is touched until after the last one is closed.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <new>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "base/system_error.h"
#include "online/page_index_state.h"
#include "paraprint/algorithms.h"

namespace paraprint::inline online {
namespace {

constexpr std::uint32_t kHeadPagesMinimum = 64;
constexpr std::uint32_t kHeadPagesMaximum = 1 << 20;
constexpr std::uint32_t kSyncIntervalMaximum = 3'600'000;

// Adds advice to an error of opening. Damaged search tables are rebuilt, so damage reported here is in the database,
// which can only come back from a backup.
tl::unexpected<Error> opening_failure(Error error) {
  if (error.code == ErrorCode::kCorruptData) error.message += "; restore a backup ('paraprint index restore')";
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace
}  // namespace paraprint::inline online

namespace paraprint {

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
  return {};
}

PageIndex::Implementation::Implementation(std::string folder, const IndexOptions& options)
    : folder_(std::move(folder)), options_(options), gate_([this] { return database_->sync(); }) {}

// The order matters: the interval thread uses the gate, the background thread of the tables and the pooled searches use
// the database, and the folder stays locked until all of them have closed their files.
PageIndex::Implementation::~Implementation() {
  {
    const std::lock_guard lock(interval_mutex_);
    is_stopping_ = true;
  }
  interval_wake_.notify_all();
  if (interval_thread_.joinable()) interval_thread_.join();
  if (database_ && options_.sync != SyncMode::kNone) sync_in_background();
  tables_.reset();
  searches_.clear();
  database_.reset();
  if (lock_descriptor_ >= 0) ::close(lock_descriptor_);
}

// RocksDB has a lock of its own, but it does not cover the search tables. flock() is released by the kernel when the
// process dies, so a killed process leaves no stale lock; the process id in the file only serves the message.
Status PageIndex::Implementation::lock_folder() {
  const std::string path = folder_ + "/lock";
  lock_descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_descriptor_ < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  if (::flock(lock_descriptor_, LOCK_EX | LOCK_NB) == 0) {
    const std::string process = fmt::format("{}\n", ::getpid());
    if (::ftruncate(lock_descriptor_, 0) != 0 || ::write(lock_descriptor_, process.data(), process.size()) < 0) {
      return tl::unexpected<Error>(system_error("write", path, errno));
    }
    return {};
  }
  if (errno != EWOULDBLOCK) return tl::unexpected<Error>(system_error("lock", path, errno));
  std::ifstream file(path);
  std::string process;
  std::getline(file, process);
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("the index {} is open in another process (pid {}); only one process may open it at a time",
                             folder_, process.empty() ? "unknown" : process));
}

}  // namespace paraprint

namespace paraprint::inline online {

// The file "format" is written when the index is first complete, so its presence means a usable index.
Status check_index_format(const std::string& folder) {
  const std::string path = folder + "/format";
  Result<std::string> read = read_whole_file(path);
  if (!read && read.error().code == ErrorCode::kNotFound) {
    return failure(ErrorCode::kNotFound, fmt::format("{} does not contain an index", folder));
  }
  PARAPRINT_ASSIGN(std::string format, std::move(read));
  if (format == kIndexFormat) return {};
  while (!format.empty() && format.back() == '\n') format.pop_back();
  return failure(ErrorCode::kUnsupported,
                 fmt::format("{} is '{}', but this build requires '{}'. Use the build that created this index, or add "
                             "its pages to a new one with 'paraprint index add'",
                             path, format, kIndexFormat.substr(0, kIndexFormat.size() - 1)));
}

}  // namespace paraprint::inline online

namespace paraprint {

// Accepts a folder without "format" only if it is empty or was left by an interrupted creation. A mistyped folder name
// must not fill somebody's directory with database files.
Status PageIndex::Implementation::open_format() {
  Status known = check_index_format(folder_);
  if (known || known.error().code != ErrorCode::kNotFound) return known;
  is_complete_ = false;
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
  PARAPRINT_ASSIGN(std::unique_ptr<IndexDatabase> database, IndexDatabase::open(folder_ + "/database", !is_complete_));
  database_ = std::move(database);
  return {};
}

// Reads the counts and the settings identity, or writes the identity of a new index. The identity is synced before
// "format" is written: an index that passes for complete always has one.
Status PageIndex::Implementation::open_settings() {
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
  PARAPRINT_ASSIGN(const bool has_identity, database_->get_setting("identity", identity_));
  PARAPRINT_TRY(open_algorithm(!has_identity));
  if (has_identity) {
    // Creation was interrupted between writing the identity and "format": complete it.
    if (options_.identity == identity_ && !is_complete_)
      return write_file_atomically(folder_ + "/format", kIndexFormat);
    if (options_.identity.empty() || options_.identity == identity_) return {};
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("the profiles in the index {} were made with different settings:\n"
                    "  index: {}\n  now:   {}\nuse the settings of the index, or add the pages to a new one: if the "
                    "numbers after 'paraprint-profile/' differ, this build cannot compare with its profiles",
                    folder_, identity_, options_.identity));
  }
  if (options_.identity.empty()) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("creating an index requires the identity of its settings"));
  }
  identity_ = options_.identity;
  IndexBatch batch;
  database_->put_setting(batch, "identity", identity_);
  if (algorithm_) database_->put_setting(batch, "algorithm", algorithm_name_);
  PARAPRINT_TRY(database_->write(batch));
  PARAPRINT_TRY(database_->sync());
  return write_file_atomically(folder_ + "/format", kIndexFormat);
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
    const bool is_same_identity = options_.identity.empty() || options_.identity == identity_;
    if (is_same_identity && !options_.algorithm.empty() && asked != algorithm_name_) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("the index {} compares pages by {}, not by {}", folder_, algorithm_name_, asked));
    }
  }
  if (algorithm_name_ == kParagraphMethod) return {};
  PARAPRINT_ASSIGN(algorithm_, PageAlgorithm::create(algorithm_name_));
  return {};
}

Result<std::unique_ptr<PageIndex::Implementation>> PageIndex::Implementation::open(const std::string& folder,
                                                                                   const IndexOptions& options) {
  PARAPRINT_TRY(options.validate());
  // Checked before any folder is created: opening an index that is not there must leave no trace.
  if (!options.create_if_missing) {
    PARAPRINT_TRY(check_index_format(folder));
  }
  PARAPRINT_TRY(create_folders(folder));
  std::unique_ptr<Implementation> index(new Implementation(folder, options));
  for (const auto step : {&Implementation::lock_folder, &Implementation::open_format, &Implementation::open_database,
                          &Implementation::open_settings}) {
    if (Status done = (index.get()->*step)(); !done) return opening_failure(done.error());
  }
  const SearchTablesOptions tables_options{folder + "/tables", options.head_pages,
                                           index->algorithm_ && index->algorithm_->has_summaries()};
  const auto read_keys = [algorithm = index->algorithm_.get()](std::string_view record, TextKeys& keys) {
    return read_text_keys(record, algorithm, keys);
  };
  auto tables = SearchTables::open(tables_options, *index->database_, read_keys, index->templates_,
                                   index->writer_mutex_, index->next_text_);
  if (!tables) return opening_failure(tables.error());
  index->tables_ = std::move(*tables);
  // Recovery may have found texts beyond the count that was stored last.
  index->counts_.next_text = index->next_text_;
  if (options.sync == SyncMode::kInterval) {
    Result<ScheduledThread> started =
        ScheduledThread::start("syncs the index", [raw = index.get()] { raw->run_interval_sync(); });
    if (!started) return opening_failure(started.error());
    index->interval_thread_ = std::move(*started);
  }
  return index;
}

// The gate returns at once if nothing was written since the last sync, so an idle index costs no disk access.
void PageIndex::Implementation::run_interval_sync() {
  std::unique_lock lock(interval_mutex_);
  while (!is_stopping_) {
    interval_wake_.wait_for(lock, std::chrono::milliseconds(options_.sync_interval_milliseconds));
    lock.unlock();
    sync_in_background();
    lock.lock();
  }
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

PageIndex::PageIndex(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
PageIndex::~PageIndex() = default;

Result<std::unique_ptr<PageIndex>> PageIndex::open(const std::string& folder, const IndexOptions& options,
                                                   const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(std::unique_ptr<Implementation> opened, Implementation::open(folder, options));
  if (control.warning) {
    PARAPRINT_ASSIGN(const IndexStatistics statistics, opened->statistics());
    for (const std::string& warning : statistics.warnings) control.warning(warning);
  }
  return std::unique_ptr<PageIndex>(new PageIndex(std::move(opened)));
}

Result<LookupOutcome> PageIndex::lookup(const IndexPageInput& page, const LookupOptions& options) const {
  return implementation_->lookup(page, options);
}
Result<AddOutcome> PageIndex::lookup_or_add(const IndexPageInput& page, const AddOptions& options) {
  return implementation_->lookup_or_add(page, options);
}
Result<PageChange> PageIndex::add(const IndexPageInput& page) {
  return implementation_->add(page);
}
Result<IndexedPage> PageIndex::get(std::string_view id) const {
  return implementation_->get(id);
}
Result<IndexedPage> PageIndex::find_by_url(std::string_view url) const {
  return implementation_->find_by_url(url);
}
Result<Profile> PageIndex::get_profile(std::string_view id) const {
  return implementation_->get_profile(id);
}
Result<PageFingerprint> PageIndex::get_fingerprint(std::string_view id) const {
  return implementation_->get_fingerprint(id);
}
Result<std::vector<IndexedPage>> PageIndex::get_cluster(std::string_view id, std::size_t limit) const {
  return implementation_->get_cluster(id, limit);
}
Result<bool> PageIndex::remove(std::string_view id) {
  return implementation_->remove(id);
}
Result<std::uint64_t> PageIndex::expire(std::uint64_t seen_before_seconds, const RunControl& control) {
  const StopScope scope(control.stop);
  return implementation_->expire(seen_before_seconds);
}
Status PageIndex::for_each_page(bool with_profiles,
                                const std::function<Status(const IndexedPage&, const Profile*)>& visit,
                                const RunControl& control) const {
  const StopScope scope(control.stop);
  return implementation_->for_each_page(with_profiles, visit);
}
Result<std::vector<std::string>> PageIndex::ids_after(std::string_view id, std::size_t limit) const {
  return implementation_->ids_after(id, limit);
}
Result<IndexStatistics> PageIndex::statistics() const {
  return implementation_->statistics();
}
Result<VerifyOutcome> PageIndex::verify(bool with_search_tables, const RunControl& control) const {
  const StopScope scope(control.stop);
  return implementation_->verify(with_search_tables);
}
Status PageIndex::compact(const RunControl& control) {
  const StopScope scope(control.stop);
  return implementation_->compact();
}
Status PageIndex::backup(const std::string& folder, const RunControl& control) const {
  const StopScope scope(control.stop);
  return implementation_->backup(folder);
}
Status PageIndex::sync() {
  return implementation_->sync();
}
Status PageIndex::check_writable() const {
  return implementation_->check_writable();
}
const std::string& PageIndex::identity() const {
  return implementation_->identity();
}
const std::string& PageIndex::algorithm() const {
  return implementation_->algorithm();
}

// Part of the JSON interface.
std::string_view page_change_name(PageChange change) {
  switch (change) {
    case PageChange::kNew:
      return "new";
    case PageChange::kUnchanged:
      return "unchanged";
    case PageChange::kChanged:
      return "changed";
  }
  return "unknown";
}

}  // namespace paraprint
