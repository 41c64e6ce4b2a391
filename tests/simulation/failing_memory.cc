// Replaces operator new and operator delete of the program.
#include "simulation/failing_memory.h"

#include <cstdlib>
#include <new>

void* operator new(std::size_t size_bytes) {
  void* const memory = paraprint::FailingMemory::fails_now() ? nullptr : std::malloc(size_bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// Libraries use it, too, and release with the operators below.
void* operator new(std::size_t size_bytes, const std::nothrow_t&) noexcept {
  return paraprint::FailingMemory::fails_now() ? nullptr : std::malloc(size_bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
