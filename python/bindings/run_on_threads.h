// Runs one piece of work on several threads, for calls that may not let an exception leave a thread.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace paraprint::python {

// Calls work(0) on this thread and work(1) to work(count - 1) on others, and returns when all calls have ended. If
// some of them throw (std::bad_alloc), rethrows the first exception then. Where the system cannot provide a thread, its
// call is left out: the calls must take their work from a common place.
template <class Work>
void run_on_threads(std::size_t count, const Work& work) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded = [&](std::size_t i) noexcept {
    try {
      work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  try {
    for (std::size_t i = 1; i < count; ++i) {
      others.emplace_back([&guarded, i] { guarded(i); });
    }
  } catch (const std::exception&) {  // no memory, or no more threads: those that run do the work
  }
  guarded(0);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace paraprint::python
