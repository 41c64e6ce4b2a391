// The part of speech of a word in coarse classes, and what the classes weigh (algorithms.md 14).
#pragma once

#include <array>
#include <string_view>

#include "paraprint/terms.h"
#include "text/word_segmenter.h"

namespace paraprint {

// Of a token of WordSegmenter with its bytes, normalised. Numbers are numbers; words of the dictionary have its tag,
// other Han words that of tag_unknown_word(); a stop word without either is a function word, any other word unknown.
// Thread-safe; a look-up for words of the dictionary, some microseconds for other Han words.
PartOfSpeech part_of_speech_of_word(const Token& token, std::string_view bytes, bool is_stop_word);

// What a word of each class weighs against a noun, by the number of the class.
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

}  // namespace paraprint
