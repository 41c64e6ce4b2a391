// Makes long calls interruptible by Ctrl-C. Python runs signal handlers on its main thread between steps of Python
// code, so the calling thread has to return to the interpreter now and then while the core works on another thread.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace paraprint::python {

// Returns the value of call(stop), which runs on its own thread without the GIL. An exception from it (std::bad_alloc)
// is rethrown here. If a signal handler raises meanwhile (KeyboardInterrupt), `stop`, a const std::atomic<bool>&,
// becomes true (RunControl::stop), and that exception is thrown once the call has ended. Requires the GIL.
template <class Call>
auto interruptible(Call&& call) {
  using Value = decltype(call(std::declval<const std::atomic<bool>&>()));
  constexpr std::chrono::milliseconds kInterval{50};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable is_done;
  std::optional<Value> value;
  std::exception_ptr exception;
  std::thread worker([&] {
    std::optional<Value> made;
    std::exception_ptr thrown;
    try {
      made.emplace(call(std::as_const(stop)));
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    value = std::move(made);
    exception = thrown;
    is_done.notify_one();
  });
  bool is_raised = false;
  {
    const nanobind::gil_scoped_release released;
    const auto wait = [&] {
      std::unique_lock lock(mutex);
      return is_done.wait_for(lock, kInterval, [&] { return value.has_value() || exception; });
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
  if (exception) std::rethrow_exception(exception);
  return std::move(*value);
}

}  // namespace paraprint::python
