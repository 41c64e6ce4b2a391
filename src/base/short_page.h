// Which pages have too little text to be compared by anything but all of it.
#pragma once

#include <cstdint>

namespace paraprint {

// algorithms.md 0.5: a page with fewer content characters is SHORT for every algorithm that looks at text.
inline constexpr std::uint32_t kShortPageCharacters = 50;

}  // namespace paraprint
