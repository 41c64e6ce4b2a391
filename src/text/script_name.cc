// Counts characters by Unicode block, with two corrections: an ideograph weighs several letters, and Han mixed with
// some kana is Japanese.
#include "text/script_name.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "text/utf8.h"

namespace paraprint::inline text {
namespace {

struct ScriptRange {
  char32_t first;
  char32_t last;
  std::uint8_t script;  // index into kNames
};

constexpr std::array<std::string_view, 11> kNames = {"Latin", "Greek",  "Cyrillic", "Hebrew", "Arabic", "Devanagari",
                                                     "Thai",  "Hangul", "Kana",     "Han",    "other"};
constexpr std::uint8_t kKana = 8;
constexpr std::uint8_t kHan = 9;
constexpr std::uint8_t kOther = 10;

// Ranges of Unicode blocks, sorted for binary search; adjacent minor scripts are merged into "other".
constexpr std::array kRanges = {
    ScriptRange{0x41, 0x5A, 0},          ScriptRange{0x61, 0x7A, 0},          ScriptRange{0xC0, 0x24F, 0},
    ScriptRange{0x370, 0x3FF, 1},        ScriptRange{0x400, 0x52F, 2},        ScriptRange{0x590, 0x5FF, 3},
    ScriptRange{0x600, 0x6FF, 4},        ScriptRange{0x750, 0x77F, 4},        ScriptRange{0x900, 0x97F, 5},
    ScriptRange{0x980, 0xDFF, kOther},   ScriptRange{0xE00, 0xE7F, 6},        ScriptRange{0xE80, 0x10FF, kOther},
    ScriptRange{0x1100, 0x11FF, 7},      ScriptRange{0x1200, 0x1DFF, kOther}, ScriptRange{0x1E00, 0x1EFF, 0},
    ScriptRange{0x1F00, 0x1FFF, 1},      ScriptRange{0x3040, 0x30FF, kKana},  ScriptRange{0x3400, 0x4DBF, kHan},
    ScriptRange{0x4E00, 0x9FFF, kHan},   ScriptRange{0xAC00, 0xD7AF, 7},      ScriptRange{0xF900, 0xFAFF, kHan},
    ScriptRange{0x20000, 0x323AF, kHan},
};

constexpr std::uint32_t kKanaShare = 10;          // at least one kana per 10 ideographs: Japanese
constexpr std::uint32_t kLettersOfIdeograph = 3;  // an ideograph counts as 3 letters

}  // namespace

std::string_view script_name(std::string_view utf8) {
  std::array<std::uint32_t, kNames.size()> counts{};
  const char* end = utf8.data() + std::min(utf8.size(), kScriptSampleBytes);
  for (const char* position = utf8.data(); position < end;) {
    const DecodedCharacter character = decode_character(position, end);
    position += character.size_bytes;
    const auto range = std::upper_bound(kRanges.begin(), kRanges.end(), character.code_point,
                                        [](char32_t value, const ScriptRange& row) { return value < row.first; });
    if (range != kRanges.begin() && character.code_point <= std::prev(range)->last) ++counts[std::prev(range)->script];
  }
  // The sample may end within a character; the invalid rest matches no range.
  counts[kHan] *= kLettersOfIdeograph;
  if (counts[kKana] > 0 && counts[kKana] * kKanaShare >= counts[kHan] / kLettersOfIdeograph) {
    counts[kKana] += counts[kHan];
    counts[kHan] = 0;
  }
  const auto largest = std::max_element(counts.begin(), counts.end());
  return *largest == 0 ? "none" : kNames[static_cast<std::size_t>(largest - counts.begin())];
}

}  // namespace paraprint::inline text
