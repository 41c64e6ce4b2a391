// The writing system of a text, by counting characters: enough to tell figures by language where nobody says which
// language a page is in.
#pragma once

#include <string_view>

namespace paraprint {

// "Han", "Kana", "Hangul", "Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Thai", "Devanagari", "other"; "none" for
// text without letters. Looks at the first kScriptSampleBytes. Japanese is "Kana" from a tenth of kana on. Thread-safe.
std::string_view script_name(std::string_view utf8);

inline constexpr std::size_t kScriptSampleBytes = std::size_t{16} << 10;

}  // namespace paraprint
