// UTF-8 as found on the web: checked at memory speed, repaired by leaving out what is not UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint {

bool is_valid_utf8(std::string_view bytes);

// Appends one Unicode scalar value.
void append_utf8(std::uint32_t code_point, std::string& out);

struct Utf8Repair {
  std::uint64_t dropped_sequences = 0;     // maximal invalid sequences, as the WHATWG decoder would replace them
  std::uint64_t multibyte_characters = 0;  // valid ones
};

// Appends the valid characters of `bytes` to `out`; with a null `out` only counts. Cost: O(size).
Utf8Repair repair_utf8(std::string_view bytes, std::string* out);

}  // namespace paraprint
