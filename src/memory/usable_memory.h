// The amount of memory this process may use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint::inline memory {

// The machine's physical memory or the lowest limit of the process's control groups, whichever is less. 0 if unknown.
std::uint64_t usable_memory_bytes();

// The lowest limit of the control groups named in `memberships`, the text of /proc/self/cgroup, and of all their
// parents. `root` is the mount point of control groups, /sys/fs/cgroup. Inside a container the names may be those of
// the host; the root that the container sees is then its own group. The maximum value if there is no limit.
std::uint64_t control_group_memory_bytes(std::string_view memberships, const std::string& root);

}  // namespace paraprint::inline memory
