// A thread that does something again and again, with pauses, until it is stopped.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/propagate.h"
#include "base/scheduled.h"
#include "paraprint/result.h"

namespace paraprint::inline online {

class RepeatedTask {
 public:
  RepeatedTask() = default;
  RepeatedTask(const RepeatedTask&) = delete;
  RepeatedTask& operator=(const RepeatedTask&) = delete;
  ~RepeatedTask() { stop(); }

  // `task` runs for the first time after the first pause. It must not throw. Errors: those of start_thread().
  Status start(std::string_view purpose, std::chrono::milliseconds pause, std::function<void()> task) {
    PARAPRINT_ASSIGN(thread_, ScheduledThread::start(purpose, [this, pause, run = std::move(task)] {
                       std::unique_lock lock(mutex_);
                       while (!is_stopping_) {
                         wake_.wait_for(lock, pause);
                         if (is_stopping_) return;
                         lock.unlock();
                         run();
                         lock.lock();
                       }
                     }));
    return {};
  }

  // Waits for the end of a run in progress. Does nothing if the thread was not started.
  void stop() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      is_stopping_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

 private:
  ScheduledMutex mutex_;
  ScheduledCondition wake_;
  bool is_stopping_ = false;
  ScheduledThread thread_;
};

}  // namespace paraprint::inline online
