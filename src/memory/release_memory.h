// Frees what values have allocated, where they are to be empty for a while. Assigning an empty one is not enough: a
// string copies a short one into the room that it has, and keeps the room.
#pragma once

#include <type_traits>
#include <utility>

namespace paraprint::inline memory {

// Afterwards, each is as one that was just made. For strings, vectors, and classes of those.
template <class... Values>
void release_memory(Values&... values) {
  const auto release = [](auto& value) {
    const auto taken = std::move(value);
    value = std::remove_cvref_t<decltype(value)>();
  };
  (release(values), ...);
}

}  // namespace paraprint::inline memory
