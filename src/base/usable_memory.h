// How much memory this process may use.
#pragma once

#include <cstdint>

namespace paraprint {

// The machine's, or the limit of the process's control group where that is less. 0 where nobody says.
std::uint64_t usable_memory_bytes();

}  // namespace paraprint
