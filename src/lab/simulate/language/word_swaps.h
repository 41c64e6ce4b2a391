// Words that may stand for each other. The list is this project's own, made for the simulator alone: nothing of the
// detector knows it, so finding copies with synonyms is never a matter of having the list.
#pragma once

#include <span>
#include <string_view>

namespace paraprint {

// The group that holds `word` (lower case, Simplified), at least two words with itself; empty if none does.
// Thread-safe.
std::span<const std::string_view> synonyms_of(std::string_view word);

// All groups, for tests and counts.
std::span<const std::span<const std::string_view>> synonym_groups();

}  // namespace paraprint
