// Defines which pages are so short that they are compared only by their whole text.
#pragma once

#include <cstdint>

namespace paraprint::inline base {

// A page with fewer content characters is SHORT for every algorithm that compares text
// (docs/algorithms/paragraph-matching.md).
inline constexpr std::uint32_t kShortPageCharacters = 50;

}  // namespace paraprint::inline base
