// Splits text into sentences (docs/algorithms/sentence-weights-and-anchors.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "paraprint/model.h"

namespace paraprint::inline text {

// A sentence of this length is split after the next comma, colon or space, so that the boundaries of text without
// sentence ends (tables, poems, generated lists) depend only on nearby text.
inline constexpr std::uint32_t kLongSentenceCharacters = 400;

// Replaces `spans` by the sentences of `text`, in order, as byte ranges.
// - A sentence ends after a run of 。！？!?；;… and ASCII full stops, including the closing quotes and brackets after
// it.
// - An ASCII full stop ends a sentence only at the end of the text or before white space followed by a capital, a
// digit,
//   Han or a quote, and not after a common abbreviation or a single initial; a decimal point never does. ASCII ! ? ;
//   must be followed by white space, Han or the end, unlike in URLs.
// - A newline always ends a sentence.
// Spans are not empty, have no white space at their ends, and never split a character. Together they contain every
// content character of `text`. `text` should be UTF-8; invalid bytes remain inside sentences.
void split_sentences(std::string_view text, std::vector<TextSpan>& spans);

}  // namespace paraprint::inline text
