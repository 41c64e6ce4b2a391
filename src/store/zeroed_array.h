// Zeroed memory that becomes resident page by page as it is touched (calloc of a large block).
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace paraprint::inline store {

struct FreeDeleter {
  void operator()(void* memory) const { std::free(memory); }
};

// An array of values for which all-zero bytes are a valid initial state.
template <class Value>
using ZeroedArray = std::unique_ptr<Value[], FreeDeleter>;

template <class Value>
ZeroedArray<Value> zeroed_array(std::size_t count) {
  auto* memory = static_cast<Value*>(std::calloc(count, sizeof(Value)));
  if (memory == nullptr) throw std::bad_alloc();
  return ZeroedArray<Value>(memory);
}

}  // namespace paraprint::inline store
