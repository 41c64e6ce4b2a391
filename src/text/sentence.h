// Cuts text into sentences (algorithms.md 20).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "paraprint/model.h"

namespace paraprint {

// A sentence without an end is cut behind a comma or a space once it is this long: boundaries of runaway text (tables,
// poems, machine lists) then depend only on text nearby.
inline constexpr std::uint32_t kLongSentenceCharacters = 400;

// Replaces `spans` by the sentences of `text`, in order, as byte ranges.
// - A sentence ends after a run of 。！？!?；;… and ASCII full stops, with the closing quotes and brackets behind it.
// - An ASCII full stop ends a sentence only before white space and then a capital, a digit, Han or a quote, or at the
//   end, and not after a common abbreviation or a single initial; a decimal point never does. ! ? ; in ASCII need white
//   space, Han or the end behind them (URLs have none).
// - A line end always ends a sentence.
// Spans carry no white space at their ends, are never empty, and never cut a character. Together they hold every
// content character of `text`. `text` is expected to be UTF-8; invalid bytes are kept inside sentences.
void split_sentences(std::string_view text, std::vector<TextSpan>& spans);

}  // namespace paraprint
