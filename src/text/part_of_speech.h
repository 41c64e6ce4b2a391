// The part of speech of a word in coarse classes, and the weights of the classes (docs/algorithms/simhash.md).
#pragma once

#include <array>
#include <string_view>

#include "text/terms.h"
#include "text/word_segmenter.h"

namespace paraprint::inline text {

// The class of a token of WordSegmenter, given its normalised bytes. ASCII digits are numbers, dictionary words have
// the dictionary's tag, other Han words that of tag_unknown_word(). Without a tag, stop words are function words and
// all other words unknown. Thread-safe; a lookup for dictionary words, a few microseconds for other Han words.
PartOfSpeech part_of_speech_of_word(const Token& token, std::string_view bytes, bool is_stop_word);

// Weight of each class relative to a noun, indexed by class.
inline constexpr std::array<double, 8> kPartOfSpeechWeights = {
    0.7,  // kUnknown
    1.0,  // kNoun
    0.8,  // kVerb
    0.6,  // kAdjective
    0.5,  // kNumberOrTime
    0.4,  // kAdverb
    0.2,  // kPronoun
    0.1,  // kFunctionWord
};

constexpr double part_of_speech_weight(PartOfSpeech part_of_speech) {
  return kPartOfSpeechWeights[static_cast<std::size_t>(part_of_speech)];
}

}  // namespace paraprint::inline text
