// The files of the database as a whole: opening, copying, compacting and checking them.
#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <vector>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "memory/database_fragments.h"
#include "memory/database_log.h"
#include "memory/open_files.h"
#include "store/change_log.h"
#include "store/index_database_handles.h"

namespace paraprint::inline store {
namespace {

// Cache for everything except profiles, which are read from mapped files.
constexpr std::size_t kBlockCacheBytes = std::size_t{16} << 20;
// Size of the memtables, after which they are flushed to files. The limits also bound the log that is replayed on
// opening.
constexpr std::size_t kTextBufferBytes = std::size_t{32} << 20;
constexpr std::size_t kOtherBufferBytes = std::size_t{8} << 20;
constexpr std::uint64_t kLogBytesMaximum = std::uint64_t{96} << 20;

// Files that stay open are read in place; of others, values are copied, and each read searches for the file. So all
// stay open if the process may have enough of them for half a terabyte, and otherwise those that were used last.
constexpr std::uint64_t kFilesKeptOpen = 8192;

// A reader needs all of its files open from the beginning: see open().
int open_files_of(DatabaseAccess access) {
  constexpr int kAllFiles = -1;
  const std::uint64_t maximum = index_files_maximum();
  return access == DatabaseAccess::kRead || maximum >= kFilesKeptOpen ? kAllFiles : static_cast<int>(maximum);
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

// The table of origins came with a later format. A reader cannot create it.
void drop_missing_tables(const std::string& folder, std::vector<rocksdb::ColumnFamilyDescriptor>& descriptors) {
  std::vector<std::string> names;
  if (!rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), folder, &names).ok()) return;  // opening it says why
  const bool has_origins = std::find(names.begin(), names.end(), kTableNames[kOrigins]) != names.end();
  if (!has_origins) descriptors.pop_back();
}

// A log that a power cut left without an intact first change is not needed any more once its memtables are flushed,
// which CreateCheckpoint() does. But it keeps all logs until its end, reads the first change of each, and fails. Then
// that log is deleted, so a second attempt does not meet it.
Status create_checkpoint(rocksdb::DB& database, const std::string& folder, const std::string& database_folder) {
  rocksdb::Checkpoint* made = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(&database, &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = checkpoint->CreateCheckpoint(folder, 0);
  if (status.IsCorruption()) status = checkpoint->CreateCheckpoint(folder, 0);
  if (!status.ok()) return database_failure(status, database_folder);
  return {};
}

}  // namespace

// RocksDB reports some conditions only in its message. They are recognised there, because callers treat a full disk
// (retry later) and damage (rebuild or restore) differently from other I/O errors.
tl::unexpected<Error> database_failure(const rocksdb::Status& status, const std::string& folder) {
  std::string text = status.ToString();
  const auto says = [&](std::string_view words) { return text.find(words) != std::string::npos; };
  ErrorCode code = ErrorCode::kInputOutput;
  if (status.IsNoSpace() || says("No space left") || says("File too large") || says("quota exceeded")) {
    code = ErrorCode::kNoSpace;
  } else if (status.IsCorruption() || status.IsPathNotFound() || says("does not exist") ||
             says("larger than file length")) {
    code = ErrorCode::kCorruptData;  // including files that are missing or have been truncated
  }
  if (says("Too many open files")) text += "; raise the limit of open files (ulimit -n)";
  return failure(code, fmt::format("index database {}: {}", folder, text));
}

// Changes of other processes are out of the question: whoever opens the database holds the lock of the index folder.
Result<std::unique_ptr<IndexDatabase>> IndexDatabase::open(const std::string& folder, DatabaseAccess access) {
  rocksdb::DBOptions options;
  options.create_if_missing = access == DatabaseAccess::kCreate;
  options.create_missing_column_families = access != DatabaseAccess::kRead;
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
  options.max_open_files = open_files_of(access);
  options.info_log = no_database_log();
  const std::shared_ptr<rocksdb::Cache> cache = rocksdb::NewLRUCache(kBlockCacheBytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (std::size_t table = 0; table < kTables; ++table) {
    descriptors.emplace_back(kTableNames[table], table_options(table, cache));
  }
  if (access == DatabaseAccess::kRead) drop_missing_tables(folder, descriptors);
  std::unique_ptr<IndexDatabase> opened(new IndexDatabase());
  opened->handles_->folder = folder;
  rocksdb::DB* database = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> tables;
  const auto open_files = [&] {
    // The open files of a reader stay readable when a writer removes them, because RocksDB opens all of them at once.
    return access == DatabaseAccess::kRead
               ? rocksdb::DB::OpenForReadOnly(options, folder, descriptors, &tables, &database)
               : rocksdb::DB::Open(options, folder, descriptors, &tables, &database);
  };
  if (access != DatabaseAccess::kRead) PARAPRINT_TRY(sync_change_logs(folder));
  PARAPRINT_ASSIGN(const std::uint64_t last_change, last_intact_change(folder));
  rocksdb::Status status = open_files();
  if (status.IsCorruption() && access != DatabaseAccess::kRead) {
    PARAPRINT_ASSIGN(const bool was_unfinished, cut_unfinished_record(folder));
    if (was_unfinished) status = open_files();
  }
  if (!status.ok()) return database_failure(status, folder);
  opened->handles_->database.reset(database);
  std::copy(tables.begin(), tables.end(), opened->handles_->tables.begin());
  if (database->GetLatestSequenceNumber() >= last_change) return opened;
  return failure(ErrorCode::kCorruptData,
                 fmt::format("index database {}: a log (*.log) is damaged before its last change", folder));
}

std::uint64_t IndexDatabase::last_change() const {
  return handles_->database->GetLatestSequenceNumber();
}

// CreateCheckpoint() keeps RocksDB from deleting files until it ends, also if it ends by an exception: without a call
// that allows it again, the folder would grow with every compaction. With the lock, that is not the call of another
// one.
Status IndexDatabase::checkpoint(const std::string& folder) const {
  const std::lock_guard lock(handles_->checkpoint_mutex);
  try {
    return create_checkpoint(*handles_->database, folder, handles_->folder);
  } catch (...) {
    static_cast<void>(handles_->database->EnableFileDeletions());
    throw;
  }
}

// The stop flag is passed to RocksDB, which checks it during a compaction; check_stop() turns its failure into
// kCancelled.
Status IndexDatabase::compact() {
  PARAPRINT_TRY(handles_->check_readable());
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
  PARAPRINT_TRY(handles_->check_readable());
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
