// sysconf() reports the host's memory even inside a container, so the limits of control groups are read as well, in
// both versions. Group names that do not exist below the mount point, as inside a container, have no effect.
#include "memory/usable_memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "base/atomic_file.h"

namespace paraprint::inline memory {
namespace {

// Returns the maximum value for "max", which is not a number, and if the file does not exist.
std::uint64_t limit_in(const std::string& path) {
  std::uint64_t limit = 0;
  return std::ifstream(path) >> limit ? limit : std::numeric_limits<std::uint64_t>::max();
}

// The lowest limit of the group `name` ("/a/b") and its parents: the kernel enforces all of them.
std::uint64_t least_limit(const std::string& root, std::string name, const char* file) {
  std::uint64_t least = limit_in(root + file);
  for (; name.size() > 1; name.resize(name.rfind('/'))) least = std::min(least, limit_in(root + name + file));
  return least;
}

}  // namespace

std::uint64_t control_group_memory_bytes(std::string_view memberships, const std::string& root) {
  // Some systems mount both versions, so both are evaluated; missing files impose no limit.
  std::string own;                // the group in version 2
  std::string own_memory;         // the group of the memory controller in version 1
  while (!memberships.empty()) {  // "4:memory:/name" in version 1, "0::/name" in version 2
    const std::string_view line = memberships.substr(0, memberships.find('\n'));
    memberships.remove_prefix(std::min(memberships.size(), line.size() + 1));
    const std::size_t number = line.find(':');
    const std::size_t name = line.find(":/");
    if (name == std::string_view::npos) continue;
    if (line.starts_with("0::")) own = line.substr(name + 1);
    const std::string controllers = ',' + std::string(line.substr(number + 1, name - number - 1)) + ',';
    if (controllers.find(",memory,") != std::string::npos) own_memory = line.substr(name + 1);
  }
  return std::min(least_limit(root, own, "/memory.max"),
                  least_limit(root + "/memory", own_memory, "/memory.limit_in_bytes"));
}

// An unreadable /proc/self/cgroup gives an empty text, which still includes the limits of the root group.
std::uint64_t usable_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return 0;
  const std::string memberships = read_whole_file("/proc/self/cgroup").value_or("");
  return std::min(static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes),
                  control_group_memory_bytes(memberships, "/sys/fs/cgroup"));
}

}  // namespace paraprint::inline memory
