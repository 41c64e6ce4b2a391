// The log that RocksDB writes beside a database: none. Its own writer ends the process (in builds with assertions,
// which distributions ship) when it is used again after a write of it failed, and that is what a full disk does. Errors
// come back from the calls that meet them.
#pragma once

#include <rocksdb/env.h>

#include <cstdarg>
#include <memory>

namespace paraprint {

class NoDatabaseLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, std::va_list) override {}
};

inline std::shared_ptr<rocksdb::Logger> no_database_log() {
  return std::make_shared<NoDatabaseLog>();
}

}  // namespace paraprint
