// What the two sources of IndexDatabase share: its handles of RocksDB, and RocksDB's errors as ours.
#pragma once

#include <fmt/format.h>
#include <rocksdb/db.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "memory/abandoned_database.h"
#include "store/index_database.h"

namespace paraprint::inline store {

// Column families, in the order of kTableNames. The names are persisted.
enum IndexTable : std::size_t { kSettings, kPages, kTexts, kMembers, kUrls, kClusters, kOrigins, kTables };
inline constexpr std::array<const char*, kTables> kTableNames = {"default", "pages",    "texts",  "members",
                                                                 "urls",    "clusters", "origins"};

inline rocksdb::Slice slice_of(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}
inline std::string_view view_of(const rocksdb::Slice& slice) {
  return {slice.data(), slice.size()};
}

// The error of a call of RocksDB on the database in `folder`.
tl::unexpected<Error> database_failure(const rocksdb::Status& status, const std::string& folder);

struct IndexDatabase::Handles {
  std::string folder;
  std::unique_ptr<rocksdb::DB> database;
  std::array<rocksdb::ColumnFamilyHandle*, kTables> tables{};
  // Shared for writing to the log, exclusive for syncing it. A sync that starts between a failed write and checked()
  // would abort the process, because RocksDB asserts that a file is not synced after a failed write.
  std::shared_mutex log_mutex;
  std::mutex checkpoint_mutex;  // one checkpoint at a time
  std::mutex failure_mutex;
  // Set by an exception out of the read of a key, for which RocksDB is not made: what the thread holds of the database
  // stays in use, and the thread's next read would end the process.
  std::atomic<bool> has_read_failed{false};
  bool has_log_failed = false;
  bool is_abandoned = false;            // see abandoned_database.h
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
      is_abandoned = true;
      throw;
    }
  }
  template <class Read>
  rocksdb::Status read_key(const Read& read) {
    try {
      return read();
    } catch (...) {
      has_read_failed = true;
      throw;
    }
  }
  Status check_readable() const {
    if (!has_read_failed) return {};
    return failure(ErrorCode::kInputOutput,
                   fmt::format("index database {}: out of memory during a read; start the process again", folder));
  }
  Status check_log() {
    const std::lock_guard lock(failure_mutex);
    if (!has_log_failed) return {};
    if (failure_of_log) return tl::unexpected<Error>(*failure_of_log);
    return failure(ErrorCode::kInputOutput, fmt::format("index database {}: out of memory during a change", folder));
  }

  // Column family handles must be destroyed before the database is closed.
  ~Handles() {
    if (is_abandoned || has_read_failed) {
      abandon_database(database);
      return;
    }
    for (rocksdb::ColumnFamilyHandle* table : tables) {
      if (table != nullptr) database->DestroyColumnFamilyHandle(table);
    }
    if (database) database->Close();
  }
};

}  // namespace paraprint::inline store
