// Prefetches memory that will be read soon.
#pragma once

namespace paraprint::inline base {

// GCC removes calls to a function that only prefetches, as having no effect; the empty asm statement counts as one.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}

}  // namespace paraprint::inline base
