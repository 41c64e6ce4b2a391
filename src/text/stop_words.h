// Function words, which say nothing about a text's topic. Our own lists (src/text/stop_words/), one set over all
// languages, compiled into the word tables.
#pragma once

#include <string_view>

#include "text/word_segmenter.h"

namespace paraprint {

// `word` is normalised (lower case, simplified).
bool is_stop_word(std::string_view word);

// The same for a token with bytes `word`; for dictionary words one load.
bool is_stop_word(const Token& token, std::string_view word);

}  // namespace paraprint
