// Frees what a value has allocated, where it is to be empty for a while. Assigning an empty one is not enough: a string
// copies a short one into the room that it has, and keeps the room.
#pragma once

#include <utility>

namespace paraprint::inline memory {

// Afterwards, `value` is as one that was just made. For strings, vectors, and classes of those.
template <class Value>
void release_memory(Value& value) {
  const Value taken(std::move(value));
  value = Value();
}

}  // namespace paraprint::inline memory
