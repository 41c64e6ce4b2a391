// The string of the IDF-string method (algorithms.md 7), for the method itself and for the comparison of string hashes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/terms.h"

namespace paraprint {

// Appends the ceil(kept_percent / 100 * k) of the text's k distinct words with the largest idf, by falling idf, ties by
// rising bytes, joined with U+001F. `order` is scratch. O(k log k).
void append_idf_string(const PageTerms& terms, std::uint32_t kept_percent, std::vector<std::uint32_t>& order,
                       std::string& text);

}  // namespace paraprint
