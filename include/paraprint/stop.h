// Stops a long call early.
//
// Example:
//
//   std::atomic<bool> stop = false;  // set by a signal handler or another thread
//   const StopScope scope(&stop);
//   Status status = check_stop();  // kCancelled once `stop` is true, as from every long call
//
// A stopped call leaves no half-written file behind. Calls that can be resumed after a kill can be resumed as well.
#pragma once

#include <atomic>

#include "paraprint/result.h"

namespace paraprint {

// During its lifetime, calls made by this thread, and the threads they start, check the flag several times per second
// in every loop over pages, pairs or bytes of files. Scopes nest: the innermost applies. The flag must outlive the
// scope, which must be destroyed by the thread that created it.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* flag);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

  // The flag of the innermost scope of this thread; null if there is none.
  static const std::atomic<bool>* current();

 private:
  const std::atomic<bool>* const outer_;
};

// Returns kCancelled if this thread's flag is set. Cheap enough for inner loops.
Status check_stop();

}  // namespace paraprint
