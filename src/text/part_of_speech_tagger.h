// The part of speech of words that the dictionary does not know, by the hidden Markov model of jieba's posseg.
#pragma once

#include <string_view>

namespace paraprint {

// The tag, in jieba's notation ("nr", "v", "nz" ...), of a word of Han characters; empty if the model knows no tag that
// all of its characters can have. States are pairs of a place in a word (begin, middle, end, single) and a tag, and a
// word keeps its tag, so the most probable path through one word is the best of one sum a tag; ties go to the later
// tag, as in jieba. The words beside it do not count. Thread-safe; some hundred additions a character.
std::string_view tag_unknown_word(std::string_view word);

}  // namespace paraprint
