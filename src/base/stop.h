// Carries the stop flag of a RunControl to the loops that check it, without a parameter in between.
//
// A public call opens a StopScope; loops below it call check_stop(), on the same thread or on threads started with the
// flag (ordered_parallel.h).
#pragma once

#include <atomic>

#include "paraprint/result.h"

namespace paraprint {

// During its lifetime, check_stop() on this thread looks at `flag`; if it is null, at that of the scope around it. The
// flag must outlive the scope, which must be destroyed by the thread that created it.
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
