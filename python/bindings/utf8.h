// Whether bytes that somebody calls text are text.
#pragma once

#include <string_view>

namespace paraprint::python {

// Arrow promises UTF-8 in columns of strings; files of others do not always keep it. O(size), vectorised.
bool is_valid_utf8(std::string_view bytes);

}  // namespace paraprint::python
