// A line-by-line diff for failure messages.
#pragma once

#include <string>

namespace paraprint {

// "- line" is only in `expected`, "+ line" only in `actual`, "  line" in both; empty if the texts are equal. O(n * m)
// for texts of n and m lines.
std::string line_difference(const std::string& expected, const std::string& actual);

}  // namespace paraprint
