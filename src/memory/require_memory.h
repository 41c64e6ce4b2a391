// Libraries in C answer null where they find no memory. That must not pass for input that is damaged, nor for a mistake
// of ours: it is std::bad_alloc, as everywhere.
#pragma once

#include <new>

namespace paraprint {

// `made`, which is not null.
template <class Object>
Object* require_memory(Object* made) {
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

}  // namespace paraprint
