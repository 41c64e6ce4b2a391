// Words of scripts that are written without spaces and that jieba does not know: Thai, Lao, Khmer, Burmese and others.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/word_segmenter.h"

namespace paraprint {

// Appends the words of text[begin, end), a run of letters, digits and marks of such scripts, as ICU's dictionaries cut
// them. The words cover the run. Thread-safe; some microseconds a call.
void append_complex_words(std::string_view text, std::uint32_t begin, std::uint32_t end, std::vector<Token>& tokens);

}  // namespace paraprint
