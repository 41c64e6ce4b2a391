// Rates how much a code point resembles text of a language, for the charset detector. Thread-safe.
#pragma once

#include <cstdint>

namespace paraprint::inline html {

enum class RatedLanguage : std::uint8_t { kSimplifiedChinese, kTraditionalChinese, kJapanese, kKorean };

// For text in a multi-byte charset: 1 for the most common characters, about 0.3 for ordinary ones, below 0 for
// characters that do not occur in text.
double rate_ideographic(RatedLanguage language, std::uint32_t code_point);

// For text in a single-byte charset: rates a non-ASCII character by its neighbours (0 at the ends of the sample).
double rate_alphabetic(std::uint32_t previous, std::uint32_t code_point, std::uint32_t next);

}  // namespace paraprint::inline html
