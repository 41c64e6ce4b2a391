// C libraries return null when out of memory. This must be reported neither as damaged input nor as a programming
// error, so it is turned into std::bad_alloc, as everywhere.
#pragma once

#include <new>

namespace paraprint::inline memory {

// Returns `made`; throws std::bad_alloc if it is null.
template <class Object>
Object* require_memory(Object* made) {
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

}  // namespace paraprint::inline memory
