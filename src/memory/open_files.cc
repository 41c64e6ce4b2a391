// The limit is asked for at each call, because it may change while the process runs.
#include "memory/open_files.h"

#include <sys/resource.h>

#include <limits>

namespace paraprint::inline memory {

std::uint64_t open_files_maximum() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::numeric_limits<std::uint64_t>::max();
  return limit.rlim_cur;
}

}  // namespace paraprint::inline memory
