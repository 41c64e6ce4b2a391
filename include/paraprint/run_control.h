// How a caller follows a long call and ends it early. Every call that may take longer than a moment takes a RunControl;
// with a default one it runs silently to its end.
//
// Example:
//
//   std::atomic<bool> stop = false;  // set by a signal handler or another thread
//   RunControl control;
//   control.stop = &stop;
//   std::uint64_t pages = 0;
//   control.progress = [&](const Progress& progress) { pages = progress.pages; };
//   std::string warnings;
//   control.warning = [&](std::string_view line) { warnings.append(line).append("\n"); };
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace paraprint {

struct Progress {
  std::string_view stage;  // such as "read", "candidates", "verify", "write", "report"
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0: unknown
  std::string_view unit;    // of done and total: "bytes", "pages", "pairs"
  std::uint64_t pages = 0;  // pages so far, if the stage counts them
  bool is_finished = false;
};

// The callbacks are called from one thread at a time, not necessarily the caller's, and delay the call while they run.
struct RunControl {
  // Set it to true from any thread or a signal handler: the call soon returns kCancelled. It is checked several times
  // per second in every loop over pages, pairs or bytes of files. A stopped call leaves no half-written file behind;
  // what can be resumed after a kill can be resumed after a stop. Null: the call runs to its end.
  const std::atomic<bool>* stop = nullptr;
  // About ten times per second, and once at the end of each stage.
  std::function<void(const Progress&)> progress;
  // One line per problem that does not end the call, such as a broken record (file, location, reason).
  std::function<void(std::string_view)> warning;
};

}  // namespace paraprint
