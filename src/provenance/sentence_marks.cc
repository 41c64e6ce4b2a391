// Stop words are everywhere and numbers are rare in any text: both are left out.
#include "provenance/sentence_marks.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace paraprint::inline provenance {
namespace {

constexpr double kRarityMaximum = 8;  // log10 of the documents of the largest collection that weights come from

std::uint8_t mark_of(double share) {
  constexpr double kSteps = 255;
  return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * kSteps));
}

}  // namespace

std::vector<SentenceMarks> sentence_marks(const PageFeatures& features) {
  std::vector<SentenceMarks> all;
  all.reserve(features.sentences.size());
  std::map<std::uint32_t, std::uint32_t> counts;  // of the words of one sentence
  for (const SentenceFeatures& sentence : features.sentences) {
    counts.clear();
    for (std::uint32_t token = sentence.words.begin; token < sentence.words.end; ++token) {
      ++counts[features.word_of_token[token]];
    }
    double words = 0;
    double idf = 0;
    double elsewhere = 0;
    for (const auto& [number, count] : counts) {
      const PageWord& word = features.words[number];
      if (word.vote == 0 || word.is_number) continue;
      words += count;
      idf += count * static_cast<double>(word.idf);
      if (word.count > count) elsewhere += count * static_cast<double>(word.idf);
    }
    SentenceMarks marks{};
    if (words > 0) {
      marks[static_cast<std::size_t>(SentenceMark::kRarity)] = mark_of(idf / words / kRarityMaximum);
      marks[static_cast<std::size_t>(SentenceMark::kCohesion)] = mark_of(idf > 0 ? elsewhere / idf : 0);
    }
    all.push_back(marks);
  }
  return all;
}

}  // namespace paraprint::inline provenance
