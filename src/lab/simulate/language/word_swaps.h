// Groups of interchangeable words. The list was written for the simulator and is not known to the detector, so finding
// copies with synonyms never depends on having the list.
#pragma once

#include <span>
#include <string_view>

namespace paraprint::inline lab::inline simulate::inline language {

// The group that contains `word` (lower case, Simplified), with at least two words including
// `word`; empty if there is none. Thread-safe.
std::span<const std::string_view> synonyms_of(std::string_view word);

// All groups, for tests and counts.
std::span<const std::span<const std::string_view>> synonym_groups();

}  // namespace paraprint::inline lab::inline simulate::inline language
