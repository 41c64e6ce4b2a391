// A name that the system does not resolve in time: in a program that links slow_names.cc, getaddrinfo() is replaced.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string_view>

namespace paraprint {

class SlowNames {
 public:
  // Calls of getaddrinfo() for this host end, without a result, when they are released, and those of later tests at
  // once.
  static constexpr std::string_view kHost = "slow.example";

  // For getaddrinfo().
  static void wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait_for(lock, kPatience, [] { return is_released_; });
    --waiting_;
    changed_.notify_all();
  }
  // Returns in any case after some time.
  static void wait_until_waiting(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kPatience, [count] { return waiting_ == count; });
  }
  static int waiting() {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }
  static void release() {
    const std::lock_guard lock(mutex_);
    is_released_ = true;
    changed_.notify_all();
  }

 private:
  static constexpr std::chrono::seconds kPatience{20};
  static inline std::mutex mutex_;
  static inline std::condition_variable changed_;
  static inline int waiting_ = 0;
  static inline bool is_released_ = false;
};

}  // namespace paraprint
