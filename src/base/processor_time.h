// Processor time, for figures that do not depend on what else a machine does.
#pragma once

#include <ctime>

namespace paraprint {

inline double clock_seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Of the calling thread, in seconds. About 0.2 microseconds a call.
inline double thread_processor_seconds() {
  return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

// Of all threads of the process, ended ones included.
inline double process_processor_seconds() {
  return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace paraprint
