// Durability: writes go to RocksDB's log without fsync, and sync() makes all of them durable at once, so callers decide
// how many changes share one sync. Once a write or sync of the log has failed, its content is unknown and the database
// accepts no further changes until it is opened again (Handles::checked).
//
// Memory is bounded by small caches and write buffers: profiles, by far the largest values, are read in place from
// mapped files, so the operating system's page cache serves as their cache.
#include "store/index_database.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/snapshot.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <filesystem>
#include <mutex>
#include <new>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "base/atomic_file.h"
#include "base/byte_codec.h"
#include "base/database_log.h"
#include "base/propagate.h"
#include "base/scheduled.h"
#include "base/stop.h"
#include "memory/database_fragments.h"
#include "store/change_log.h"

namespace paraprint::inline store {
namespace {

// Column families, in the order of kTableNames. The names are persisted.
enum Table : std::size_t { kSettings, kPages, kTexts, kMembers, kUrls, kClusters, kTables };
constexpr std::array<const char*, kTables> kTableNames = {"default", "pages", "texts", "members", "urls", "clusters"};

// Cache for everything except profiles, which are read from mapped files.
constexpr std::size_t kBlockCacheBytes = std::size_t{16} << 20;
// Size of the memtables, after which they are flushed to files. The limits also bound the log that is replayed on
// opening.
constexpr std::size_t kTextBufferBytes = std::size_t{32} << 20;
constexpr std::size_t kOtherBufferBytes = std::size_t{8} << 20;
constexpr std::uint64_t kLogBytesMaximum = std::uint64_t{96} << 20;

rocksdb::Slice slice_of(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}
std::string_view view_of(const rocksdb::Slice& slice) {
  return {slice.data(), slice.size()};
}

// RocksDB reports some conditions only in its message. They are recognised there, because callers treat a full disk
// (retry later) and damage (rebuild or restore) differently from other I/O errors.
tl::unexpected<Error> database_failure(const rocksdb::Status& status, const std::string& folder) {
  const std::string text = status.ToString();
  const auto says = [&](std::string_view words) { return text.find(words) != std::string::npos; };
  ErrorCode code = ErrorCode::kInputOutput;
  if (status.IsNoSpace() || says("No space left") || says("File too large") || says("quota exceeded")) {
    code = ErrorCode::kNoSpace;
  } else if (status.IsCorruption() || status.IsPathNotFound() || says("does not exist") ||
             says("larger than file length")) {
    code = ErrorCode::kCorruptData;  // including files that are missing or have been truncated
  }
  return failure(code, fmt::format("index database {}: {}", folder, text));
}

// Big-endian, so that keys sort in numerical order.
std::string number_key(std::uint64_t number) {
  std::string key(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) key[i] = static_cast<char>(number >> (56 - 8 * i));
  return key;
}

// Reads the number at the start of a key; more may follow it.
bool read_number_key(std::string_view key, std::uint64_t& number) {
  if (key.size() < 8) return false;
  number = 0;
  for (std::size_t i = 0; i < 8; ++i) number = number << 8 | static_cast<unsigned char>(key[i]);
  return true;
}

// The length precedes the name: without it, the pages of cluster "a" would be mixed with those of clusters "ab", "abc",
// ...
std::string cluster_prefix(std::string_view cluster) {
  return number_key(cluster.size()) + std::string(cluster);
}

rocksdb::ColumnFamilyOptions table_options(std::size_t table, const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions options;
  rocksdb::BlockBasedTableOptions blocks;
  blocks.block_cache = cache;
  blocks.format_version = 5;
  if (table == kTexts) {
    // Profiles consist of hashes, which do not compress; uncompressed blocks can be read in place from the mapped file.
    options.compression = rocksdb::kNoCompression;
    options.write_buffer_size = kTextBufferBytes;
  } else {
    options.compression = rocksdb::kLZ4Compression;
    options.bottommost_compression = rocksdb::kZSTD;
    options.write_buffer_size = kOtherBufferBytes;
    blocks.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  }
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(blocks));
  return options;
}

// Turns end_of_walk() into success; every other error is passed on.
Status unless_ended(const Status& visited) {
  const bool is_end = visited.error().code == ErrorCode::kCancelled && visited.error().message.empty();
  return is_end ? Status{} : visited;
}

Status corrupt_key(std::string_view table) {
  return failure(ErrorCode::kCorruptData, fmt::format("table {} contains a malformed key", table));
}

}  // namespace

struct IndexDatabase::Handles {
  std::string folder;
  std::unique_ptr<rocksdb::DB> database;
  std::array<rocksdb::ColumnFamilyHandle*, kTables> tables{};
  // Shared for writing to the log, exclusive for syncing it. A sync that starts between a failed write and checked()
  // would abort the process, because RocksDB asserts that a file is not synced after a failed write.
  std::shared_mutex log_mutex;
  std::mutex failure_mutex;
  bool has_log_failed = false;
  std::optional<Error> failure_of_log;  // empty if there was no memory for it

  // Changes the log and records the first failure. RocksDB must not write to it or sync it again.
  template <class Change>
  Status change_log(const Change& change) {
    try {
      const rocksdb::Status status = change();
      if (status.ok()) return {};
      const std::lock_guard lock(failure_mutex);
      has_log_failed = true;
      if (!failure_of_log) failure_of_log = database_failure(status, folder).value();
      return tl::unexpected<Error>(*failure_of_log);
    } catch (const std::bad_alloc&) {
      const std::lock_guard lock(failure_mutex);
      has_log_failed = true;
      throw;
    }
  }
  Status check_log() {
    const std::lock_guard lock(failure_mutex);
    if (!has_log_failed) return {};
    if (failure_of_log) return tl::unexpected<Error>(*failure_of_log);
    return failure(ErrorCode::kLimitExceeded, fmt::format("index database {}: out of memory during a change", folder));
  }

  // Column family handles must be destroyed before the database is closed.
  ~Handles() {
    for (rocksdb::ColumnFamilyHandle* table : tables) {
      if (table != nullptr) database->DestroyColumnFamilyHandle(table);
    }
    if (database) database->Close();
  }
};

IndexBatch::IndexBatch() : batch_(std::make_unique<rocksdb::WriteBatch>()) {}
IndexBatch::~IndexBatch() = default;

PinnedValue::PinnedValue() : slice_(std::make_unique<rocksdb::PinnableSlice>()) {}
PinnedValue::~PinnedValue() = default;
std::string_view PinnedValue::bytes() const {
  return {slice_->data(), slice_->size()};
}

IndexSnapshot::IndexSnapshot(std::unique_ptr<rocksdb::ManagedSnapshot> snapshot) : snapshot_(std::move(snapshot)) {}
IndexSnapshot::IndexSnapshot(IndexSnapshot&&) noexcept = default;
IndexSnapshot::~IndexSnapshot() = default;

IndexDatabase::IndexDatabase() : handles_(std::make_unique<Handles>()) {}
IndexDatabase::~IndexDatabase() = default;

Result<std::unique_ptr<IndexDatabase>> IndexDatabase::open(const std::string& folder, bool create) {
  rocksdb::DBOptions options;
  options.create_if_missing = create;
  options.create_missing_column_families = true;
  options.paranoid_checks = true;  // damage is an error instead of missing entries
  options.allow_mmap_reads = true;
  // A power cut leaves any bytes where the log had not been synced: half a record, or zeros. This mode stops there, so
  // that the database is as it was at some moment after the last sync. kTolerateCorruptedTailRecords is made for kills
  // only: it refuses such a log, and it may skip zeros in the middle and apply the changes after them. In exchange,
  // this mode stops silently at any damage: below, it is an error if an intact change follows.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  options.avoid_flush_during_recovery = true;
  options.max_total_wal_size = kLogBytesMaximum;
  options.max_background_jobs = 2;
  options.info_log = no_database_log();
  const std::shared_ptr<rocksdb::Cache> cache = rocksdb::NewLRUCache(kBlockCacheBytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (std::size_t table = 0; table < kTables; ++table) {
    descriptors.emplace_back(kTableNames[table], table_options(table, cache));
  }
  std::unique_ptr<IndexDatabase> opened(new IndexDatabase());
  opened->handles_->folder = folder;
  rocksdb::DB* database = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> tables;
  PARAPRINT_TRY(sync_change_logs(folder));
  PARAPRINT_ASSIGN(const std::uint64_t last_change, last_intact_change(folder));
  rocksdb::Status status = rocksdb::DB::Open(options, folder, descriptors, &tables, &database);
  if (status.IsCorruption()) {
    PARAPRINT_ASSIGN(const bool was_unfinished, cut_unfinished_record(folder));
    if (was_unfinished) status = rocksdb::DB::Open(options, folder, descriptors, &tables, &database);
  }
  if (!status.ok()) return database_failure(status, folder);
  opened->handles_->database.reset(database);
  std::copy(tables.begin(), tables.end(), opened->handles_->tables.begin());
  if (database->GetLatestSequenceNumber() >= last_change) return opened;
  return failure(ErrorCode::kCorruptData,
                 fmt::format("index database {}: a log (*.log) is damaged before its last change", folder));
}

IndexSnapshot IndexDatabase::snapshot() const {
  schedule_point();
  return IndexSnapshot(std::make_unique<rocksdb::ManagedSnapshot>(handles_->database.get()));
}

// Every lookup goes through here. The value stays pinned in its block or mapped file and is not copied.
Result<bool> IndexDatabase::get(std::size_t table, std::string_view key, PinnedValue& value,
                                const IndexSnapshot* moment) const {
  schedule_point();
  value.slice_->Reset();
  rocksdb::ReadOptions options;
  if (moment != nullptr) options.snapshot = moment->snapshot_->snapshot();
  const rocksdb::Status status =
      handles_->database->Get(options, handles_->tables[table], slice_of(key), value.slice_.get());
  if (status.ok()) return true;
  if (status.IsNotFound()) return false;
  return database_failure(status, handles_->folder);
}

Result<bool> IndexDatabase::has(std::size_t table, std::string_view key) const {
  PinnedValue value;
  return get(table, key, value);
}

Result<bool> IndexDatabase::get_setting(std::string_view name, std::string& value) const {
  PinnedValue pinned;
  Result<bool> found = get(kSettings, name, pinned);
  if (found && *found) value = pinned.bytes();
  return found;
}

Result<bool> IndexDatabase::get_page(std::string_view id, PageRecord& record, const IndexSnapshot* moment) const {
  PinnedValue pinned;
  Result<bool> found = get(kPages, id, pinned, moment);
  if (!found || !*found) return found;
  if (Status decoded = decode_page_record(pinned.bytes(), record); !decoded) {
    return failure(decoded.error().code, fmt::format("{}: page {}: {}", handles_->folder, id, decoded.error().message));
  }
  return true;
}

Result<bool> IndexDatabase::get_text(std::uint64_t text, PinnedValue& value, const IndexSnapshot* moment) const {
  return get(kTexts, number_key(text), value, moment);
}

Result<bool> IndexDatabase::get_id_of_url(std::string_view url, std::string& id) const {
  PinnedValue pinned;
  Result<bool> found = get(kUrls, url, pinned);
  if (found && *found) id = pinned.bytes();
  return found;
}

Result<bool> IndexDatabase::has_member(std::uint64_t text, std::string_view id) const {
  return has(kMembers, number_key(text) + std::string(id));
}

Result<bool> IndexDatabase::has_cluster_member(std::string_view cluster, std::string_view id) const {
  return has(kClusters, cluster_prefix(cluster) + std::string(id));
}

Status IndexDatabase::end_of_walk() {
  // The empty message distinguishes it from check_stop(), which has one.
  return failure(ErrorCode::kCancelled, "");
}

Status IndexDatabase::walk(std::size_t table, std::string_view prefix, const EntryVisitor& visit,
                           const IndexSnapshot* moment) const {
  return walk_from(table, prefix, prefix, visit, moment);
}

// Iterations read each block once, so they must not evict the blocks of lookups from the cache.
Status IndexDatabase::walk_from(std::size_t table, std::string_view first, std::string_view prefix,
                                const EntryVisitor& visit, const IndexSnapshot* moment) const {
  schedule_point();
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  if (moment != nullptr) options.snapshot = moment->snapshot_->snapshot();
  const std::unique_ptr<rocksdb::Iterator> at(handles_->database->NewIterator(options, handles_->tables[table]));
  for (at->Seek(slice_of(first)); at->Valid() && view_of(at->key()).starts_with(prefix); at->Next()) {
    PARAPRINT_TRY(check_stop());
    if (Status visited = visit(view_of(at->key()), view_of(at->value())); !visited) return unless_ended(visited);
  }
  if (!at->status().ok()) return database_failure(at->status(), handles_->folder);
  return {};
}

Status IndexDatabase::for_each_page(const PageVisitor& visit, const IndexSnapshot* moment) const {
  return walk(kPages, "", visit, moment);
}

Status IndexDatabase::for_each_page_from(std::string_view id, const PageVisitor& visit) const {
  return walk_from(kPages, id, "", visit);
}

// Not based on walk(), because a range of numbers is not a key prefix.
Status IndexDatabase::for_each_text(std::uint64_t first, std::uint64_t end, const TextVisitor& visit) const {
  schedule_point();
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(handles_->database->NewIterator(options, handles_->tables[kTexts]));
  for (at->Seek(number_key(first)); at->Valid(); at->Next()) {
    std::uint64_t text = 0;
    if (!read_number_key(view_of(at->key()), text)) return corrupt_key("texts");
    if (text >= end) break;
    PARAPRINT_TRY(check_stop());
    if (Status visited = visit(text, view_of(at->value())); !visited) return unless_ended(visited);
  }
  if (!at->status().ok()) return database_failure(at->status(), handles_->folder);
  return {};
}

// Text numbers sort in key order, so the last key is the highest number.
Result<bool> IndexDatabase::last_text(std::uint64_t& text) const {
  const std::unique_ptr<rocksdb::Iterator> at(
      handles_->database->NewIterator(rocksdb::ReadOptions(), handles_->tables[kTexts]));
  at->SeekToLast();
  if (!at->status().ok()) return database_failure(at->status(), handles_->folder);
  if (!at->Valid()) return false;
  if (!read_number_key(view_of(at->key()), text)) return tl::unexpected<Error>(corrupt_key("texts").error());
  return true;
}

Status IndexDatabase::for_each_member(std::uint64_t text, const NameVisitor& visit, const IndexSnapshot* moment) const {
  const std::string prefix = number_key(text);
  return walk(
      kMembers, prefix, [&](std::string_view key, std::string_view) { return visit(key.substr(prefix.size())); },
      moment);
}

Status IndexDatabase::for_each_cluster_member(std::string_view cluster, const NameVisitor& visit) const {
  const std::string prefix = cluster_prefix(cluster);
  return walk(kClusters, prefix,
              [&](std::string_view key, std::string_view) { return visit(key.substr(prefix.size())); });
}

Status IndexDatabase::for_each_url(const RelationVisitor& visit) const {
  return walk(kUrls, "", visit);
}

Status IndexDatabase::for_each_membership(
    const std::function<Status(std::uint64_t text, std::string_view id)>& visit) const {
  return walk(kMembers, "", [&](std::string_view key, std::string_view) -> Status {
    std::uint64_t text = 0;
    if (!read_number_key(key, text)) return corrupt_key("members");
    return visit(text, key.substr(8));
  });
}

Status IndexDatabase::for_each_cluster_membership(const RelationVisitor& visit) const {
  return walk(kClusters, "", [&](std::string_view key, std::string_view) -> Status {
    std::uint64_t size = 0;
    if (!read_number_key(key, size) || size > key.size() - 8) return corrupt_key("clusters");
    return visit(key.substr(8, size), key.substr(8 + size));
  });
}

void IndexDatabase::put_setting(IndexBatch& batch, std::string_view name, std::string_view value) const {
  batch.batch_->Put(handles_->tables[kSettings], slice_of(name), slice_of(value));
}

void IndexDatabase::put_page(IndexBatch& batch, std::string_view id, const PageRecord& record) const {
  std::string bytes;
  encode_page_record(record, bytes);
  batch.batch_->Put(handles_->tables[kPages], slice_of(id), bytes);
}

void IndexDatabase::remove_page(IndexBatch& batch, std::string_view id) const {
  batch.batch_->Delete(handles_->tables[kPages], slice_of(id));
}

void IndexDatabase::put_text(IndexBatch& batch, std::uint64_t text, const TextRecord& record) const {
  std::string bytes;
  encode_text_record(record, bytes);
  batch.batch_->Put(handles_->tables[kTexts], number_key(text), bytes);
}

void IndexDatabase::remove_text(IndexBatch& batch, std::uint64_t text) const {
  batch.batch_->Delete(handles_->tables[kTexts], number_key(text));
}

void IndexDatabase::put_member(IndexBatch& batch, std::uint64_t text, std::string_view id) const {
  batch.batch_->Put(handles_->tables[kMembers], number_key(text) + std::string(id), rocksdb::Slice());
}

void IndexDatabase::remove_member(IndexBatch& batch, std::uint64_t text, std::string_view id) const {
  batch.batch_->Delete(handles_->tables[kMembers], number_key(text) + std::string(id));
}

void IndexDatabase::put_url(IndexBatch& batch, std::string_view url, std::string_view id) const {
  batch.batch_->Put(handles_->tables[kUrls], slice_of(url), slice_of(id));
}

void IndexDatabase::remove_url(IndexBatch& batch, std::string_view url) const {
  batch.batch_->Delete(handles_->tables[kUrls], slice_of(url));
}

void IndexDatabase::put_cluster_member(IndexBatch& batch, std::string_view cluster, std::string_view id) const {
  batch.batch_->Put(handles_->tables[kClusters], cluster_prefix(cluster) + std::string(id), rocksdb::Slice());
}

void IndexDatabase::remove_cluster_member(IndexBatch& batch, std::string_view cluster, std::string_view id) const {
  batch.batch_->Delete(handles_->tables[kClusters], cluster_prefix(cluster) + std::string(id));
}

// Concurrent writes are allowed (RocksDB groups them), but none may run during a sync; see log_mutex.
Status IndexDatabase::write(IndexBatch& batch) {
  schedule_point();
  const std::shared_lock lock(handles_->log_mutex);
  PARAPRINT_TRY(handles_->check_log());
  return handles_->change_log([&] { return handles_->database->Write(rocksdb::WriteOptions(), batch.batch_.get()); });
}

Status IndexDatabase::sync() {
  schedule_point();
  const std::unique_lock lock(handles_->log_mutex);
  PARAPRINT_TRY(handles_->check_log());
  return handles_->change_log([&] { return handles_->database->SyncWAL(); });
}

Status IndexDatabase::check_usable() const {
  return handles_->check_log();
}

Status IndexDatabase::checkpoint(const std::string& folder) const {
  rocksdb::Checkpoint* made = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(handles_->database.get(), &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = checkpoint->CreateCheckpoint(folder, 0);
  // A log that a power cut left without an intact first change is not needed any more once its memtables are flushed,
  // which CreateCheckpoint() does. But it keeps all logs until its end, reads the first change of each, and fails. Then
  // that log is deleted, so a second attempt does not meet it.
  if (status.IsCorruption()) status = checkpoint->CreateCheckpoint(folder, 0);
  if (!status.ok()) return database_failure(status, folder);
  return {};
}

// The stop flag is passed to RocksDB, which checks it during a compaction; check_stop() turns its failure into
// kCancelled.
Status IndexDatabase::compact() {
  for (rocksdb::ColumnFamilyHandle* table : handles_->tables) {
    rocksdb::CompactRangeOptions options;
    options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    options.canceled = const_cast<std::atomic<bool>*>(StopScope::current());  // RocksDB only reads it
    const rocksdb::Status status = handles_->database->CompactRange(options, table, nullptr, nullptr);
    PARAPRINT_TRY(check_stop());
    if (!status.ok()) return database_failure(status, handles_->folder);
  }
  return {};
}

Status IndexDatabase::verify_checksums() const {
  const rocksdb::Status status = handles_->database->VerifyChecksum();
  if (!status.ok()) return database_failure(status, handles_->folder);
  return {};
}

// Files may disappear during the iteration, as RocksDB deletes obsolete ones in the background; those are skipped.
Result<std::uint64_t> IndexDatabase::size_bytes() const {
  PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(handles_->folder));
  std::uint64_t bytes = 0;
  for (const std::string& name : names) {
    std::error_code failed;
    const std::uint64_t size = std::filesystem::file_size(fmt::format("{}/{}", handles_->folder, name), failed);
    if (!failed) bytes += size;
  }
  return bytes;
}

}  // namespace paraprint::inline store
