// Zeroed memory that the system gives page by page as it is touched.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "base/assert.h"

namespace paraprint {

struct FreeDeleter {
  void operator()(void* memory) const { std::free(memory); }
};

// Of values for which zeros are a beginning.
template <class Value>
using ZeroedArray = std::unique_ptr<Value[], FreeDeleter>;

template <class Value>
ZeroedArray<Value> zeroed_array(std::size_t count) {
  auto* memory = static_cast<Value*>(std::calloc(count, sizeof(Value)));
  PARAPRINT_ASSERT(memory != nullptr);
  return ZeroedArray<Value>(memory);
}

}  // namespace paraprint
