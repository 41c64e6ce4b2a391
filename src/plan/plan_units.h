// Numbers as people read them. Pure.
#pragma once

#include <string>

namespace paraprint::inline plan {

// "512 KB", "1.4 GB": powers of 1,000, three digits.
std::string bytes_text(double bytes);
// "0.4 s", "3 min 20 s", "5 h 10 min".
std::string duration_text(double seconds);
// "12,345"; rounded to three digits if `is_estimate`.
std::string count_text(double count, bool is_estimate);

}  // namespace paraprint::inline plan
