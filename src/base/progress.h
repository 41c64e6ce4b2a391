// Passes progress to the caller, at most ten times per second and at the end of each stage, and warnings.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "paraprint/run_control.h"

namespace paraprint::inline base {

// By commands that warn of single records: a damaged archive has many, and the counts at the end are of all.
inline constexpr std::size_t kWarningsPerInput = 20;

// Threads: one at a time. The control must outlive the reporter.
class ProgressReporter {
 public:
  explicit ProgressReporter(const RunControl& control) : control_(control) {}

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
    if (control_.progress) control_.progress(current_);
  }
  void end() {
    current_.is_finished = true;
    if (control_.progress) control_.progress(current_);
  }
  // Without a receiver, the text of a warning need not be made.
  bool wants_warnings() const { return control_.warning != nullptr; }
  void warn(std::string_view line) const {
    if (control_.warning) control_.warning(line);
  }

 private:
  static constexpr std::chrono::milliseconds kInterval{100};

  const RunControl& control_;
  Progress current_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace paraprint::inline base
