// Two texts line by line, for a person who reads why a test failed.
#pragma once

#include <string>

namespace paraprint {

// "- line" stands only in `expected`, "+ line" only in `actual`, "  line" in both; empty if the texts are equal. Cost:
// O(lines of one * lines of the other).
std::string line_difference(const std::string& expected, const std::string& actual);

}  // namespace paraprint
