// Takes passages out of a text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/model.h"

namespace paraprint::inline trim {

// `text` without the spans, which are ascending and do not overlap, and without the white space that followed them; at
// the end of the text, without the white space before them. Linear.
std::string text_without(std::string_view text, std::span<const TextSpan> spans);

// The spans of `extracted` as spans of the plain text that it was extracted from, which has the same characters but for
// white space and marks of headings. No span is empty, and none begins or ends with white space. nullopt if the texts
// differ otherwise, as they do where invalid UTF-8 was repaired. Linear.
std::optional<std::vector<TextSpan>> spans_in_source(std::string_view source, std::string_view extracted,
                                                     std::span<const TextSpan> spans);

}  // namespace paraprint::inline trim
