// Segments scripts that are written without spaces and not covered by jieba: Thai, Lao, Khmer, Burmese and others.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/word_segmenter.h"

namespace paraprint::inline text {

// Appends the words of text[begin, end), a run of letters, digits and marks of such scripts, according to ICU's
// dictionaries. The words cover the run, unless `stop` is stopped in between. Throws std::bad_alloc, in every call to
// come if memory ran out while the dictionaries were loaded, which is in the first. Thread-safe; a few microseconds per
// call, except for a single letter, with one mark or none, which is a word.
void append_complex_words(std::string_view text, std::uint32_t begin, std::uint32_t end, std::vector<Token>& tokens,
                          StopCheck& stop);

}  // namespace paraprint::inline text
