// Disables the log file that RocksDB writes next to a database. In builds with assertions, which distributions ship,
// RocksDB's log writer aborts the process if it is used after a failed write, as happens on a full disk. No information
// is lost: errors are returned by the calls that cause them.
#pragma once

#include <rocksdb/env.h>

#include <cstdarg>
#include <memory>

namespace paraprint::inline memory {

class NoDatabaseLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, std::va_list) override {}
};

inline std::shared_ptr<rocksdb::Logger> no_database_log() {
  return std::make_shared<NoDatabaseLog>();
}

}  // namespace paraprint::inline memory
