// The string of the IDF-string method (docs/algorithms/digests.md), also used to compare string hashes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/terms.h"

namespace paraprint::inline lab::inline signatures {

// Appends the ceil(kept_percent / 100 * k) words with the largest idf among the text's k distinct words, by descending
// idf, ties by ascending bytes, joined with U+001F. `order` is scratch memory. O(k log k).
void append_idf_string(const PageTerms& terms, std::uint32_t kept_percent, std::vector<std::uint32_t>& order,
                       std::string& text);

}  // namespace paraprint::inline lab::inline signatures
