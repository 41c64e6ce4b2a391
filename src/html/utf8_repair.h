// Repairs UTF-8 by dropping invalid bytes. The counts of valid and invalid sequences tell whether it was UTF-8 at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint::inline html {

struct Utf8Repair {
  std::uint64_t dropped_bytes = 0;
  std::uint64_t multibyte_characters = 0;  // valid ones
};

// Appends the valid characters of `bytes` to `out`; only counts if `out` is null. Cost: O(size). Thread-safe.
Utf8Repair repair_utf8(std::string_view bytes, std::string* out);

}  // namespace paraprint::inline html
