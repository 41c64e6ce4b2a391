// The steps of surt.cc that concern bytes, not the parts of an address.
#pragma once

#include <string>
#include <string_view>

namespace paraprint::inline cdx {

// Replaces percent escapes by their bytes until there are none left: "%2541" gives "A". Cost: O(size).
std::string unescape_repeatedly(std::string_view text);

// Writes control characters, spaces, '#', '%' and all that is not ASCII as percent escapes, with capitals.
std::string escape_once(std::string_view text);

// ASCII letters only.
std::string lower_ascii(std::string text);
bool equals_lower_ascii(std::string_view text, std::string_view lower);  // `text` in any case

bool is_ascii_digit(char c);
bool is_ascii_letter(char c);

}  // namespace paraprint::inline cdx
