// UTF-8 as found on the web, repaired by leaving out what is not UTF-8, with the counts that tell whether it was UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint {

struct Utf8Repair {
  std::uint64_t dropped_bytes = 0;
  std::uint64_t multibyte_characters = 0;  // valid ones
};

// Appends the valid characters of `bytes` to `out`; with a null `out` only counts. Cost: O(size).
Utf8Repair repair_utf8(std::string_view bytes, std::string* out);

}  // namespace paraprint
