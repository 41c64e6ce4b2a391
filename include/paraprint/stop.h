// Ending a long call before it is done.
//
//   std::atomic<bool> stop = false;     // a signal handler or another thread sets it
//   const StopScope scope(&stop);
//   deduplicate(options, {});           // kCancelled soon after `stop` is true
//
// What is asked to stop leaves no half-written file behind; what a killed run leaves in its output folder lets the same
// call go on.
#pragma once

#include <atomic>

#include "paraprint/result.h"

namespace paraprint {

// While it lives, calls that this thread makes, and the threads that they work with, look at the flag several times a
// second, wherever they go over pages, pairs or bytes of files. Scopes nest: the innermost counts. The flag must
// outlive the scope, which belongs to the thread that made it.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* flag);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

  // The flag of the innermost scope of this thread; null without one.
  static const std::atomic<bool>* current();

 private:
  const std::atomic<bool>* const outer_;
};

// kCancelled if this thread's flag is set. Costs next to nothing: for loops.
Status check_stop();

}  // namespace paraprint
