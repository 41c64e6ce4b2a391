// What RocksDB does not tell about its log when it opens a database after a power cut.
#pragma once

#include <cstdint>
#include <string>

#include "paraprint/result.h"

namespace paraprint::inline store {

// Makes every log in `folder` durable. RocksDB syncs only the log that it writes: without this, changes that a killed
// process had written could be lost by a later power cut although changes made after them, in a newer log, are not.
Status sync_change_logs(const std::string& folder);

// The number of the last change that is stored intact in any log in `folder`; 0 if there is none. Reads all logs.
// If it is greater than that of the last change of the opened database, a log is damaged before its end.
Result<std::uint64_t> last_intact_change(const std::string& folder);

}  // namespace paraprint::inline store
