// CPU time, for measurements that do not depend on other load on the machine.
#pragma once

#include <ctime>

namespace paraprint::inline base {

inline double clock_seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// CPU time of the calling thread, in seconds. About 0.2 microseconds per call.
inline double thread_processor_seconds() {
  return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

// CPU time of all threads of the process, including those that have ended.
inline double process_processor_seconds() {
  return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace paraprint::inline base
