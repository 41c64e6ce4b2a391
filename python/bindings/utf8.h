// Validation of UTF-8 that comes from outside.
#pragma once

#include <string_view>

namespace paraprint::python {

// Arrow requires UTF-8 in string columns, but files of other writers do not always comply. O(size), vectorised.
bool is_valid_utf8(std::string_view bytes);

}  // namespace paraprint::python
