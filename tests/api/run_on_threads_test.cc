// The threads of the Python package's batches: an exception in one of them reaches the caller.
#include "run_on_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>

namespace paraprint::python {
namespace {

TEST(RunOnThreads, CallsEachOnce) {
  for (const std::size_t count : {1, 2, 7}) {
    std::vector<std::atomic<int>> calls(count);
    run_on_threads(count, [&](std::size_t i) { ++calls[i]; });
    for (const auto& called : calls) EXPECT_EQ(called, 1);
  }
}

// Out of memory on any thread, the first one included, ends the call and not the interpreter.
TEST(RunOnThreads, RethrowsAnExceptionOfAnyThread) {
  for (std::size_t failing = 0; failing < 4; ++failing) {
    std::atomic<int> ended{0};
    const auto work = [&](std::size_t i) {
      if (i == failing) throw std::bad_alloc();
      ++ended;
    };
    EXPECT_THROW(run_on_threads(4, work), std::bad_alloc);
    EXPECT_EQ(ended, 3);
  }
}

}  // namespace
}  // namespace paraprint::python
