// Asking the processor for memory that is read soon.
#pragma once

namespace paraprint {

// GCC drops calls of functions that do nothing but prefetch, as having no effect; the empty statement is one.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}

}  // namespace paraprint
