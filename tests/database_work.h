// What RocksDB does for the calls of this thread, in numbers that do not depend on the machine.
#pragma once

#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>

#include <cstdint>

namespace paraprint {

// Counts from its construction on. One at a time.
class DatabaseWork {
 public:
  DatabaseWork() {
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
    begin();
  }
  ~DatabaseWork() { rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable); }
  DatabaseWork(const DatabaseWork&) = delete;
  DatabaseWork& operator=(const DatabaseWork&) = delete;

  void begin() { rocksdb::get_perf_context()->Reset(); }
  // Deleted keys that are still stored and were passed over on the way to others.
  std::uint64_t deletions_passed() const { return rocksdb::get_perf_context()->internal_delete_skipped_count; }
  // Keys that were read, and places that an iteration began at, as long as everything is in memory.
  std::uint64_t probes() const {
    const rocksdb::PerfContext& counts = *rocksdb::get_perf_context();
    return counts.get_from_memtable_count + counts.seek_on_memtable_count;
  }
};

}  // namespace paraprint
