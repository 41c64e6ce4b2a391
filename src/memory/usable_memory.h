// How much memory this process may use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint {

// The machine's, or the least limit of the process's control groups where that is less. 0 where nobody says.
std::uint64_t usable_memory_bytes();

// The least limit of the control groups that `memberships`, the text of /proc/self/cgroup, names, and of all groups
// above them. `root` is where groups are mounted, /sys/fs/cgroup. Inside a container names may be those that the host
// has, and the group then is the root that the container sees. The largest number where there is no limit.
std::uint64_t control_group_memory_bytes(std::string_view memberships, const std::string& root);

}  // namespace paraprint
