// Threads that may not start.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string_view>
#include <thread>
#include <utility>

#include "paraprint/result.h"

namespace paraprint {

// Starts a thread. That the system gives no more of them (a limit of a container, no memory for a stack) is an error,
// kLimitExceeded, and no exception. `purpose` completes "cannot start a thread that ...".
template <class Function>
Result<std::thread> start_thread(std::string_view purpose, Function&& function) {
  try {
    return std::thread(std::forward<Function>(function));
  } catch (const std::exception& error) {  // std::system_error, std::bad_alloc
    return failure(
        ErrorCode::kLimitExceeded,
        fmt::format("cannot start a thread that {}: {}; allow more threads or memory", purpose, error.what()));
  }
}

}  // namespace paraprint
