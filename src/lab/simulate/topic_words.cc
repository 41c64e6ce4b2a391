// Ranks an article's words by tf-idf. The corpus writer pairs original articles that share topic words, to list pairs
// on the same topic that are not copies ("same-topic").
#include "lab/simulate/topic_words.h"

#include <algorithm>
#include <map>

#include "text/normalise.h"
#include "text/word_weights.h"

namespace paraprint::inline lab::inline simulate {
namespace {

struct CountedWord {
  double weight = 0;
  std::uint32_t count = 0;
};

}  // namespace

TopicWords topic_words(const Article& article) {
  // Words on at least one page in thirty or so belong to the language or the web, not to a topic.
  constexpr float kRarityMinimum = 1.5F;
  const WordWeights& weights = WordWeights::bundled();
  const Normaliser normaliser;
  // Ordered by hash, which makes the result independent of any hash table's order.
  std::map<std::uint64_t, CountedWord> words;
  std::vector<Token> tokens;
  for (const ArticleParagraph& paragraph : article.paragraphs) {
    if (paragraph.role == BlockRole::kCode) continue;
    const std::string text = normaliser.normalised(paragraph.text);
    WordSegmenter::shared().segment(text, tokens);
    for (const Token& token : tokens) {
      const WordWeight weight = weights.weigh(token, token.word(text));
      // Four bytes: two Han characters have six, so this drops single Han characters and short English words.
      if (weight.is_stop_word || weight.idf < kRarityMinimum || token.end_bytes - token.begin_bytes < 4) continue;
      CountedWord& word = words[weight.hash.high];
      word.weight += weight.idf;
      ++word.count;
    }
  }
  std::vector<std::pair<double, std::uint64_t>> ranked;
  for (const auto& [hash, word] : words) {
    // Negative, so that ascending order puts the heaviest word first and breaks ties by hash.
    if (word.count > 1) ranked.emplace_back(-word.weight, hash);
  }
  std::sort(ranked.begin(), ranked.end());
  TopicWords result{};
  for (std::size_t i = 0; i < std::min(result.size(), ranked.size()); ++i) result[i] = ranked[i].second;
  return result;
}

}  // namespace paraprint::inline lab::inline simulate
