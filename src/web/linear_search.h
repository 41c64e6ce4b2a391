// Searching a text for a part of it when strangers choose both.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace paraprint::inline web {

// The first place of `part` in `text` from `from` on; npos if there is none. memmem() of glibc takes time in proportion
// to both sizes, however often the part nearly fits, which std::string_view::find() does not promise.
inline std::size_t find_in_linear_time(std::string_view text, std::string_view part, std::size_t from = 0) {
  if (from > text.size()) return std::string_view::npos;
  if (part.empty()) return from;
  const void* const found = ::memmem(text.data() + from, text.size() - from, part.data(), part.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace paraprint::inline web
