// Replaces malloc() and its relatives with functions that count and then call glibc's.
#include "allocation_meter.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

// glibc calls these in its own functions of the names without the prefix, which this file replaces.
extern "C" {
void* __libc_malloc(std::size_t size_bytes);
void* __libc_calloc(std::size_t count, std::size_t size_bytes);
void* __libc_realloc(void* memory, std::size_t size_bytes);
void* __libc_memalign(std::size_t alignment, std::size_t size_bytes);
void __libc_free(void* memory);
}

namespace {

std::atomic<std::size_t> bytes_in_use{0};
std::atomic<std::size_t> most_bytes_in_use{0};

void* counted(void* memory) {
  const std::size_t size_bytes = ::malloc_usable_size(memory);
  const std::size_t now = bytes_in_use.fetch_add(size_bytes) + size_bytes;
  std::size_t most = most_bytes_in_use;
  while (now > most && !most_bytes_in_use.compare_exchange_weak(most, now)) {
  }
  return memory;
}

void uncount(void* memory) {
  bytes_in_use -= ::malloc_usable_size(memory);
}

}  // namespace

extern "C" {

void* malloc(std::size_t size_bytes) noexcept {
  return counted(__libc_malloc(size_bytes));
}
void* calloc(std::size_t count, std::size_t size_bytes) noexcept {
  return counted(__libc_calloc(count, size_bytes));
}
void* realloc(void* memory, std::size_t size_bytes) noexcept {
  const std::size_t before_bytes = ::malloc_usable_size(memory);
  void* const moved = __libc_realloc(memory, size_bytes);
  if (moved == nullptr && size_bytes > 0) return nullptr;  // `memory` is still in use
  bytes_in_use -= before_bytes;
  return counted(moved);
}
void* memalign(std::size_t alignment, std::size_t size_bytes) noexcept {
  return counted(__libc_memalign(alignment, size_bytes));
}
void* aligned_alloc(std::size_t alignment, std::size_t size_bytes) noexcept {
  return memalign(alignment, size_bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size_bytes) noexcept {
  void* const aligned = memalign(alignment, size_bytes);
  if (aligned == nullptr) return ENOMEM;
  *memory = aligned;
  return 0;
}
void free(void* memory) noexcept {
  uncount(memory);
  __libc_free(memory);
}

}  // extern "C"

namespace paraprint {

AllocationMeter::AllocationMeter() : before_bytes_(bytes_in_use) {
  most_bytes_in_use = before_bytes_;
}

std::size_t AllocationMeter::peak_bytes() const {
  return most_bytes_in_use - before_bytes_;
}

std::size_t AllocationMeter::held_bytes() const {
  const std::size_t now = bytes_in_use;
  return now - std::min(now, before_bytes_);
}

}  // namespace paraprint
