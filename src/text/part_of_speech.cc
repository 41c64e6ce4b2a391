// Reduces the many tags of jieba's dictionary to a few classes that differ in how much they say about a topic.
#include "text/part_of_speech.h"

#include <algorithm>

#include "text/part_of_speech_tagger.h"

namespace paraprint::inline text {
namespace {

bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The first letter of a tag in jieba's dictionary is its class; further letters are subclasses, of which only "vn" and
// "an" matter here.
PartOfSpeech part_of_speech_of_tag(std::string_view tag) {
  if (tag.empty()) return PartOfSpeech::kUnknown;
  if (tag == "vn" || tag == "an") return PartOfSpeech::kNoun;  // verbs and adjectives used as nouns
  switch (tag.front()) {
    case 'n':
    case 's':  // place
    case 'f':  // direction
    case 'i':  // idiom
    case 'l':  // phrase
    case 'j':  // abbreviation
      return PartOfSpeech::kNoun;
    case 'v':
      return PartOfSpeech::kVerb;
    case 'a':
    case 'b':  // distinguishing word
    case 'z':  // state
      return PartOfSpeech::kAdjective;
    case 'm':
    case 'q':  // measure word
    case 't':
      return PartOfSpeech::kNumberOrTime;
    case 'd':
      return PartOfSpeech::kAdverb;
    case 'r':
      return PartOfSpeech::kPronoun;
    case 'p':  // preposition
    case 'c':  // conjunction
    case 'u':  // auxiliary
    case 'y':  // modal particle
    case 'e':  // interjection
    case 'o':  // onomatopoeia
    case 'h':  // prefix
    case 'k':  // suffix
      return PartOfSpeech::kFunctionWord;
    default:
      return PartOfSpeech::kUnknown;
  }
}

}  // namespace

PartOfSpeech part_of_speech_of_word(const Token& token, std::string_view bytes, bool is_stop_word) {
  if (is_number(bytes)) return PartOfSpeech::kNumberOrTime;
  // Stop words cover languages without a dictionary, so they decide only if no tag is known.
  const PartOfSpeech found = part_of_speech_of_tag(
      token.word_id == kUnknownWord ? tag_unknown_word(bytes) : WordSegmenter::shared().part_of_speech(token.word_id));
  return found == PartOfSpeech::kUnknown && is_stop_word ? PartOfSpeech::kFunctionWord : found;
}

}  // namespace paraprint::inline text
