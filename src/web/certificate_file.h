// The file of certificate authorities that requests trust.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace paraprint::inline web {

// Where distributions keep it. A program that was built on one of them finds the file of that one only.
std::span<const std::string_view> certificate_file_places();

// `variable` unless it is null or empty: what the user wants, whether it exists or not. Otherwise the first of `places`
// that can be read, or an empty string if there is none.
std::string find_certificate_file(const char* variable, std::span<const std::string_view> places);

}  // namespace paraprint::inline web
