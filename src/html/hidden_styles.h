// Whether the style attribute of an element hides it.
#pragma once

#include <string_view>

namespace paraprint::inline html {

// Whether it declares display:none or visibility:hidden. Cost: O(size).
bool style_hides(std::string_view style);

}  // namespace paraprint::inline html
