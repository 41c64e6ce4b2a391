// Verdicts as stable names for files and as sentences for readers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/engine.h"  // verdict_name
#include "paraprint/model.h"

namespace paraprint::inline report {

// The match with its two pages swapped.
Match reversed(Match match);

// "A and B are near copies", "A is contained in B".
std::string_view verdict_headline(Verdict verdict);

// "91 %". Shares below 1 are never "100 %" but ">99 %", shares above 0 never "0 %" but "<1 %".
std::string percent_text(double share);

// "1,234,567"
std::string count_text(std::uint64_t count);

// "1 passage", "2,000 passages".
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

// "2.3 s", "4 min 10 s", "1 h 2 min"
std::string duration_text(double seconds);

// "812 B", "1.4 MB" (powers of 1000)
std::string bytes_text(std::uint64_t size_bytes);

// The verdict as a sentence: "A is contained in B: 96 % of A is in B, 41 % of B is in A."
std::string verdict_sentence(const Match& match);

}  // namespace paraprint::inline report
