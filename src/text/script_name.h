// Determines the writing system of a text by counting characters, to break figures down by language when the language
// of pages is not given.
#pragma once

#include <string_view>

namespace paraprint::inline text {

// "Han", "Kana", "Hangul", "Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Thai", "Devanagari", "other"; "none" for
// text without letters. Reads the first kScriptSampleBytes only. Text with at least one kana per 10 ideographs is
// "Kana". Thread-safe.
std::string_view script_name(std::string_view utf8);

inline constexpr std::size_t kScriptSampleBytes = std::size_t{16} << 10;

}  // namespace paraprint::inline text
