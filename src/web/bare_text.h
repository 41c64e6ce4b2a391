// The text of a page without the page's own address.
#pragma once

#include <cstdint>
#include <string_view>

namespace paraprint::inline web {

// A hash of the text without white space and without the address `url` (canonical): as a whole, without its scheme, as
// path and query, without their first slash, and each of these also with percent-encoding undone. 0 if no letter or
// digit is left. Two pages that differ only in where they repeat their addresses have one hash. Cost: O(size).
std::uint64_t bare_text_hash(std::string_view text, std::string_view url);

}  // namespace paraprint::inline web
