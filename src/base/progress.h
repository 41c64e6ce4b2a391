// Passes progress to the caller's callback, at most ten times per second and at the end of each stage.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "paraprint/engine.h"

namespace paraprint {

// Threads: one at a time. The callback must outlive the reporter.
class ProgressReporter {
 public:
  explicit ProgressReporter(const ProgressCallback& callback) : callback_(callback) {}

  void begin(std::string_view stage, std::uint64_t total, std::string_view unit) {
    current_ = Progress{};
    current_.stage = stage;
    current_.total = total;
    current_.unit = unit;
    last_ = {};
  }
  void update(std::uint64_t done, std::uint64_t pages = 0) {
    current_.done = done;
    current_.pages = pages;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kInterval) return;
    last_ = now;
    if (callback_) callback_(current_);
  }
  void end() {
    current_.is_finished = true;
    if (callback_) callback_(current_);
  }

 private:
  static constexpr std::chrono::milliseconds kInterval{100};

  const ProgressCallback& callback_;
  Progress current_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace paraprint
