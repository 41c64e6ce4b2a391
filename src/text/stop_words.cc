// The lists are compiled into the word tables, so a stop word costs the same lookup as a word's weight.
#include "text/stop_words.h"

#include "text/word_weights.h"

namespace paraprint::inline text {

// The word id decides which table contains the word.
bool is_stop_word(std::string_view word) {
  return is_stop_word({0, static_cast<std::uint32_t>(word.size()), WordSegmenter::shared().find_word(word)}, word);
}

bool is_stop_word(const Token& token, std::string_view word) {
  return WordWeights::bundled().weigh(token, word).is_stop_word;
}

}  // namespace paraprint::inline text
