// The steps of surt.cc that concern bytes, not the parts of an address.
#pragma once

#include <string>
#include <string_view>

namespace paraprint::inline cdx {

// Replaces percent escapes by their bytes until there are none left: "%2541" gives "A". Cost: O(size).
std::string unescape_repeatedly(std::string_view text);

// Writes control characters, spaces, '#', '%' and all that is not ASCII as percent escapes, with capitals.
std::string escape_once(std::string_view text);

// Writes only control characters and spaces as percent escapes, which would end a field or a line of an index.
std::string escape_breaks(std::string_view text);

// The name of a file as a field of an index whose fields have no quotes, and back: any name is the same again. Those
// without control characters and spaces stay as they are, unless they have such an escape already ("a%20b").
std::string field_of_name(std::string_view name);
std::string name_of_field(std::string_view field);

// ASCII letters only.
std::string lower_ascii(std::string text);
bool equals_lower_ascii(std::string_view text, std::string_view lower);  // `text` in any case

bool is_ascii_digit(char c);
bool is_ascii_letter(char c);

}  // namespace paraprint::inline cdx
