// What to do with a database of RocksDB after an exception has passed through one of its writes, for which it is not
// made: what it had given to the file is still in its buffer, and closing the database would write it a second time.
// With the same change twice in its log, builds with assertions, which distributions ship, end the process at every
// later attempt to open it.
#pragma once

#include <rocksdb/db.h>

#include <atomic>
#include <memory>

namespace paraprint::inline memory {

// Leaves the database open until the process ends, and so its lock.
inline void abandon_database(std::unique_ptr<rocksdb::DB>& database) {
  static std::atomic<rocksdb::DB*> last;  // reachable, so that it does not count as a leak
  last = database.release();
}

}  // namespace paraprint::inline memory
