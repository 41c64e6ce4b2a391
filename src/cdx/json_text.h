// JSON strings in ASCII, as Python's json writes them.
#pragma once

#include <string>
#include <string_view>

namespace paraprint::inline cdx {

// Appends `utf8` in quotes, all that is not printable ASCII escaped. Invalid bytes become U+FFFD.
void append_json_text(std::string_view utf8, std::string& out);

}  // namespace paraprint::inline cdx
