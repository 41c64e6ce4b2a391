// Mutexes, condition variables and threads whose order a test can decide. A test that installs a ThreadScheduler has
// one thread run at a time, and is asked at every lock, wait and schedule_point() which one is next, so that an
// interleaving of threads can be repeated exactly. Without a scheduler these are the standard ones; the difference is a
// load of a variable that never changes.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "base/start_thread.h"
#include "paraprint/result.h"

namespace paraprint::inline base {

class ThreadScheduler {
 public:
  enum class Wait : std::uint8_t { kUntilReleased, kForSomeTime };

  virtual ~ThreadScheduler() = default;

  // Other threads may run before this returns.
  virtual void pass() = 0;
  // The calling thread cannot continue before release(resource) or, with kForSomeTime, before a while has passed. May
  // return too early.
  virtual void wait(const void* resource, Wait how) = 0;
  // Only remembers that waiting threads may continue: the calling thread runs on.
  virtual void release(const void* resource) = 0;

  // Called by the creating thread before it creates another one, and after an attempt that failed.
  virtual void thread_is_created() = 0;
  virtual void thread_is_not_created() = 0;
  // Called by the new thread first, and last; `resource` is released at its end.
  virtual void thread_begins() = 0;
  virtual void thread_ends(const void* resource) = 0;

  static ThreadScheduler* current() { return installed_.load(std::memory_order_acquire); }
  // Null removes it. No scheduled thread may exist.
  static void install(ThreadScheduler* scheduler) { installed_.store(scheduler, std::memory_order_release); }

 private:
  static inline constinit std::atomic<ThreadScheduler*> installed_{nullptr};
};

// Marks a place between two steps that other threads can see separately.
inline void schedule_point() {
  if (ThreadScheduler* scheduler = ThreadScheduler::current(); scheduler != nullptr) [[unlikely]]
    scheduler->pass();
}

class ScheduledMutex {
 public:
  void lock() {
    ThreadScheduler* scheduler = ThreadScheduler::current();
    if (scheduler == nullptr) [[likely]] {
      mutex_.lock();
      return;
    }
    scheduler->pass();
    while (!mutex_.try_lock()) scheduler->wait(this, ThreadScheduler::Wait::kUntilReleased);
  }
  bool try_lock() { return mutex_.try_lock(); }
  void unlock() {
    mutex_.unlock();
    if (ThreadScheduler* scheduler = ThreadScheduler::current(); scheduler != nullptr) [[unlikely]] {
      scheduler->release(this);
    }
  }

 private:
  friend class ScheduledCondition;
  std::mutex mutex_;
};

// A condition variable for ScheduledMutex. As usual, waits may end without a reason.
class ScheduledCondition {
 public:
  void notify_all() {
    condition_.notify_all();
    if (ThreadScheduler* scheduler = ThreadScheduler::current(); scheduler != nullptr) [[unlikely]] {
      scheduler->release(this);
    }
  }
  void wait(std::unique_lock<ScheduledMutex>& lock) {
    wait_with(lock, ThreadScheduler::Wait::kUntilReleased, [&](auto& native) { condition_.wait(native); });
  }
  void wait_for(std::unique_lock<ScheduledMutex>& lock, std::chrono::milliseconds duration) {
    wait_with(lock, ThreadScheduler::Wait::kForSomeTime, [&](auto& native) { condition_.wait_for(native, duration); });
  }

 private:
  template <class NativeWait>
  void wait_with(std::unique_lock<ScheduledMutex>& lock, ThreadScheduler::Wait how, const NativeWait& native_wait) {
    if (ThreadScheduler* scheduler = ThreadScheduler::current(); scheduler != nullptr) [[unlikely]] {
      // No thread runs between the two, so no notification is missed.
      lock.unlock();
      scheduler->wait(this, how);
      lock.lock();
      return;
    }
    std::unique_lock native(lock.mutex()->mutex_, std::adopt_lock);
    native_wait(native);
    native.release();  // `lock` still owns it
  }

  std::condition_variable condition_;
};

class ScheduledThread {
 public:
  ScheduledThread() = default;

  // Errors: those of start_thread().
  static Result<ScheduledThread> start(std::string_view purpose, std::function<void()> function) {
    ThreadScheduler* scheduler = ThreadScheduler::current();
    ScheduledThread made;
    made.has_ended_ = std::make_unique<std::atomic<bool>>(false);
    if (scheduler != nullptr) scheduler->thread_is_created();
    Result<std::thread> started =
        start_thread(purpose, [scheduler, ended = made.has_ended_.get(), run = std::move(function)] {
          if (scheduler != nullptr) scheduler->thread_begins();
          run();
          ended->store(true, std::memory_order_release);
          if (scheduler != nullptr) scheduler->thread_ends(ended);
        });
    if (!started) {
      if (scheduler != nullptr) scheduler->thread_is_not_created();
      return tl::unexpected<Error>(started.error());
    }
    made.thread_ = std::move(*started);
    return made;
  }

  bool joinable() const { return thread_.joinable(); }
  void join() {
    if (ThreadScheduler* scheduler = ThreadScheduler::current(); scheduler != nullptr) {
      while (!has_ended_->load(std::memory_order_acquire)) {
        scheduler->wait(has_ended_.get(), ThreadScheduler::Wait::kUntilReleased);
      }
    }
    thread_.join();
  }

 private:
  std::thread thread_;
  std::unique_ptr<std::atomic<bool>> has_ended_;  // at a fixed address, which the thread knows
};

}  // namespace paraprint::inline base
