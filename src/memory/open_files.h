// How many files and connections the process may have open at once, and who may use how many of them.
#pragma once

#include <cstdint>

namespace paraprint::inline memory {

// The soft limit of the process (RLIMIT_NOFILE, `ulimit -n`), which a program may raise before it calls the library.
// Thread-safe.
std::uint64_t open_files_maximum();

// The half of it that the database of an index may use. The other half is for connections and all other files.
inline std::uint64_t index_files_maximum() {
  return open_files_maximum() / 2;
}

}  // namespace paraprint::inline memory
