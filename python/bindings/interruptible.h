// Long calls that Ctrl-C ends: Python handles signals on its main thread, between steps of Python code, so somebody has
// to take such steps while the core works.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "paraprint/stop.h"

namespace paraprint::python {

// The value of call(), which runs on a thread of its own, without the interpreter's lock, and does not throw. What a
// handler of signals raises meanwhile, like KeyboardInterrupt, asks the call to stop (paraprint/stop.h), and is thrown
// once it has.
template <class Call>
auto interruptible(Call&& call) {
  using Value = decltype(call());
  constexpr std::chrono::milliseconds kInterval{50};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable is_done;
  std::optional<Value> value;
  std::thread worker([&] {
    const StopScope scope(&stop);
    Value made = call();
    const std::lock_guard lock(mutex);
    value.emplace(std::move(made));
    is_done.notify_one();
  });
  bool is_raised = false;
  {
    const nanobind::gil_scoped_release released;
    const auto wait = [&] {
      std::unique_lock lock(mutex);
      return is_done.wait_for(lock, kInterval, [&] { return value.has_value(); });
    };
    while (!wait()) {
      if (is_raised) continue;
      const nanobind::gil_scoped_acquire held;
      is_raised = PyErr_CheckSignals() != 0;
      if (is_raised) stop.store(true);
    }
    worker.join();
  }
  if (is_raised) throw nanobind::python_error();
  return std::move(*value);
}

}  // namespace paraprint::python
