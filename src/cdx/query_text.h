// Percent escapes of queries, as Python's urllib writes and reads them.
#pragma once

#include <string>
#include <string_view>

namespace paraprint::inline cdx {

// Appends `bytes` with all but letters, digits and "_.-~" escaped, and "+" for a space.
void append_quoted(std::string_view bytes, std::string& out);

// Undoes that. Requires UTF-8, and gives UTF-8: escaped bytes that are not become U+FFFD.
std::string unquote_plus(std::string_view text);

}  // namespace paraprint::inline cdx
