// Starts threads, treating failure as an error instead of an exception.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <new>
#include <string_view>
#include <thread>
#include <utility>

#include "paraprint/result.h"

namespace paraprint::inline base {

// Starts a thread. Returns kLimitExceeded if the system cannot provide one (a container's limit, no memory for a
// stack). `purpose` completes the message "cannot start a thread that ...". Throws nothing: the threads that were
// started before must be joined.
template <class Function>
Result<std::thread> start_thread(std::string_view purpose, Function&& function) {
  try {
    return std::thread(std::forward<Function>(function));
  } catch (const std::exception& error) {  // std::system_error, std::bad_alloc
    try {
      return failure(
          ErrorCode::kLimitExceeded,
          fmt::format("cannot start a thread that {}: {}; raise the thread or memory limit", purpose, error.what()));
    } catch (const std::bad_alloc&) {
      return failure(ErrorCode::kLimitExceeded, "out of memory");  // short enough to need none
    }
  }
}

}  // namespace paraprint::inline base
