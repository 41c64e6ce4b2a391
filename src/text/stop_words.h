// Stop words: function words, which carry no topic. The lists in src/text/stop_words/ are merged over all languages and
// compiled into the word tables. Thread-safe.
#pragma once

#include <string_view>

#include "text/word_segmenter.h"

namespace paraprint::inline text {

// `word` must be normalised (lower case, simplified).
bool is_stop_word(std::string_view word);

// The same for a token with bytes `word`; a single load for dictionary words.
bool is_stop_word(const Token& token, std::string_view word);

}  // namespace paraprint::inline text
