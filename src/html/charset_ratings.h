// How much a code point looks like text of a language, for the charset detector.
#pragma once

#include <cstdint>

namespace paraprint {

enum class RatedLanguage : std::uint8_t { kSimplifiedChinese, kTraditionalChinese, kJapanese, kKorean };

// For text of a multi-byte charset: 1 for the commonest characters, about 0.3 for ordinary ones, below 0 for what text
// doesn't hold.
double rate_ideographic(RatedLanguage language, std::uint32_t code_point);

// For text of a single-byte charset: a character beyond ASCII between its neighbours (0 at the ends of the sample).
double rate_alphabetic(std::uint32_t previous, std::uint32_t code_point, std::uint32_t next);

}  // namespace paraprint
