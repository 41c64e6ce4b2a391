// Runs the parts of one task on the threads that happen to be free.
#pragma once

#include <cstddef>
#include <functional>

namespace paraprint::inline service {

// Calls action(0) to action(count - 1), each once, from any threads, and returns when all calls have returned. If some
// of them throw, rethrows the first exception then.
using ParallelRunner = std::function<void(std::size_t count, const std::function<void(std::size_t)>& action)>;

}  // namespace paraprint::inline service
