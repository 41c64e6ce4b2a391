#include "base/usable_memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace paraprint {

std::uint64_t usable_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return 0;
  std::uint64_t bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
  // Inside a container its group is the root that it sees. "max", which is no number, says nothing.
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t limit = 0;
    if (std::ifstream(path) >> limit) bytes = std::min(bytes, limit);
  }
  return bytes;
}

}  // namespace paraprint
