// Tags words that are not in the dictionary, using the hidden Markov model of jieba's posseg.
#pragma once

#include <string_view>

namespace paraprint::inline text {

// The tag, in jieba's notation ("nr", "v", "nz" ...), of a word of Han characters; empty if no tag is possible for all
// of its characters. The states are pairs of a place in the word (begin, middle, end, single) and a tag. A word has
// only one tag, so the most probable path is the largest of one sum per tag; ties go to the later tag, as in jieba.
// Neighbouring words are not considered. Thread-safe; a few hundred additions per character.
std::string_view tag_unknown_word(std::string_view word);

}  // namespace paraprint::inline text
