#include "feature/page_features.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "base/hash.h"
#include "text/sentence.h"

namespace paraprint {
namespace {

constexpr double kVoteScale = 65536;       // algorithms.md 0.3
constexpr std::size_t kFirstSlots = 4096;  // grows with the page; a power of two

// algorithms.md 20: the shares of the sentence weight, and the position values.
constexpr float kLengthShare = 0.3F;
constexpr float kPositionShare = 0.3F;
constexpr float kRelevanceShare = 0.4F;
constexpr float kFirstPosition = 1.0F;
constexpr float kLastPosition = 0.8F;
constexpr float kMiddlePosition = 0.5F;
constexpr float kTitleFactor = 2.0F;  // topic words that stand in the title count double

// Names a word within one page, in as few cycles as possible: nothing that is kept depends on it.
std::uint64_t key_of(const Token& token, std::string_view bytes) {
  if (token.word_id != kUnknownWord) return mix64(token.word_id + std::uint64_t{1});
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace

float sentence_weight(std::uint32_t characters, std::uint32_t longest_characters, std::uint32_t place,
                      std::uint32_t sentences, float relevance) {
  const float position = place == 0 ? kFirstPosition : place + 1 == sentences ? kLastPosition : kMiddlePosition;
  const float length = static_cast<float>(characters) / static_cast<float>(longest_characters);
  return kLengthShare * length + kPositionShare * position + kRelevanceShare * relevance;
}

void PageFeatures::clear() {
  content_text.clear();
  words.clear();
  word_of_token.clear();
  sentences.clear();
  paragraphs.clear();
  content_characters = 0;
}

FeatureBuilder::FeatureBuilder(const WordWeights& weights, FeatureOptions options)
    : weights_(weights),
      options_(options),
      normaliser_(NormaliseOptions{options.fold_traditional}),
      segmenter_(WordSegmenter::shared()),
      slots_(kFirstSlots) {}

void FeatureBuilder::build(const MainContent& content, const std::vector<Paragraph>& paragraphs,
                           PageFeatures& features) {
  features.clear();
  if (++page_stamp_ == 0) {  // the stamp wrapped: no old slot may look current
    std::fill(slots_.begin(), slots_.end(), Slot{});
    page_stamp_ = 1;
  }
  for (std::size_t p = 0; p < paragraphs.size(); ++p) {
    const TextSpan span = paragraphs[p].span;
    const std::string_view text = std::string_view(content.text).substr(span.begin_bytes, span.size_bytes());
    ParagraphFeatures paragraph;
    paragraph.sentences.begin = static_cast<std::uint32_t>(features.sentences.size());
    paragraph.words.begin = static_cast<std::uint32_t>(features.word_of_token.size());
    paragraph.content.begin_bytes = static_cast<std::uint32_t>(features.content_text.size());
    spans_.clear();
    split_sentences(text, spans_);
    for (const TextSpan sentence : spans_) {
      const TextSpan in_page{span.begin_bytes + sentence.begin_bytes, span.begin_bytes + sentence.end_bytes};
      add_sentence(text.substr(sentence.begin_bytes, sentence.size_bytes()), in_page, static_cast<std::uint32_t>(p),
                   features);
    }
    paragraph.sentences.end = static_cast<std::uint32_t>(features.sentences.size());
    paragraph.words.end = static_cast<std::uint32_t>(features.word_of_token.size());
    paragraph.content.end_bytes = static_cast<std::uint32_t>(features.content_text.size());
    features.paragraphs.push_back(paragraph);
  }
  count_distinct_words(features);
  choose_topic(content, features);
  weigh_sentences(features);
}

void FeatureBuilder::add_sentence(std::string_view text, TextSpan span, std::uint32_t paragraph,
                                  PageFeatures& features) {
  normalised_.clear();
  normaliser_.append_normalised(text, normalised_);
  tokens_.clear();
  segmenter_.segment(normalised_, tokens_);
  if (tokens_.empty()) return;
  SentenceFeatures sentence;
  sentence.span = span;
  sentence.paragraph = paragraph;
  sentence.words.begin = static_cast<std::uint32_t>(features.word_of_token.size());
  sentence.content.begin_bytes = static_cast<std::uint32_t>(features.content_text.size());
  for (const Token& token : tokens_) {
    const std::string_view bytes =
        std::string_view(normalised_).substr(token.begin_bytes, token.end_bytes - token.begin_bytes);
    features.content_text.append(bytes);
    features.word_of_token.push_back(word_index(token, bytes, features));
  }
  sentence.words.end = static_cast<std::uint32_t>(features.word_of_token.size());
  sentence.content.end_bytes = static_cast<std::uint32_t>(features.content_text.size());
  // Every byte that does not continue a character begins one.
  const char* const content = features.content_text.data();
  sentence.content_characters = static_cast<std::uint32_t>(
      std::count_if(content + sentence.content.begin_bytes, content + sentence.content.end_bytes,
                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  features.content_characters += sentence.content_characters;
  features.sentences.push_back(sentence);
}

std::uint32_t FeatureBuilder::word_index(const Token& token, std::string_view bytes, PageFeatures& features) {
  // The word's own hash and weight are looked up only when the page meets it first.
  const std::uint64_t key = key_of(token, bytes);
  if (2 * (features.words.size() + 1) > slots_.size()) grow_slots();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = key & mask;
  while (slots_[at].page_stamp == page_stamp_ && slots_[at].key != key) at = (at + 1) & mask;
  if (slots_[at].page_stamp == page_stamp_) {
    PageWord& word = features.words[slots_[at].word];
    ++word.count;
    return slots_[at].word;
  }
  const auto index = static_cast<std::uint32_t>(features.words.size());
  slots_[at] = {key, page_stamp_, index};
  PageWord word;
  const WordWeight weight = weights_.weigh(token, bytes);
  word.hash = options_.use_blake2b ? blake2b128(bytes) : weight.hash;
  word.idf = weight.idf;
  word.vote = weight.is_stop_word ? 0 : static_cast<std::uint32_t>(std::llround(weight.idf * kVoteScale));
  word.count = 1;
  features.words.push_back(word);
  return index;
}

void FeatureBuilder::grow_slots() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.page_stamp != page_stamp_) continue;
    std::size_t at = slot.key & mask;
    while (slots_[at].page_stamp == page_stamp_) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

void FeatureBuilder::count_distinct_words(PageFeatures& features) {
  last_seen_.assign(features.words.size(), 0);
  std::uint32_t stamp = 0;
  for (ParagraphFeatures& paragraph : features.paragraphs) {
    ++stamp;
    for (std::uint32_t t = paragraph.words.begin; t < paragraph.words.end; ++t) {
      const std::uint32_t word = features.word_of_token[t];
      if (features.words[word].vote == 0 || last_seen_[word] == stamp) continue;
      last_seen_[word] = stamp;
      ++paragraph.distinct_words;
    }
  }
}

// The page's top tf-idf terms, title terms doubled, as shares of their sum. Ties go to the smaller hash, so that the
// choice depends on the page alone.
void FeatureBuilder::choose_topic(const MainContent& content, const PageFeatures& features) {
  topic_weight_.assign(features.words.size(), 0);
  std::vector<bool> in_title(features.words.size(), false);
  normalised_.clear();
  normaliser_.append_normalised(content.title, normalised_);
  tokens_.clear();
  segmenter_.segment(normalised_, tokens_);
  const std::size_t mask = slots_.size() - 1;
  for (const Token& token : tokens_) {
    const std::string_view bytes =
        std::string_view(normalised_).substr(token.begin_bytes, token.end_bytes - token.begin_bytes);
    const std::uint64_t key = key_of(token, bytes);
    std::size_t at = key & mask;
    while (slots_[at].page_stamp == page_stamp_ && slots_[at].key != key) at = (at + 1) & mask;
    if (slots_[at].page_stamp == page_stamp_) in_title[slots_[at].word] = true;
  }
  std::vector<std::pair<float, std::uint32_t>> ranked;
  ranked.reserve(features.words.size());
  for (std::uint32_t w = 0; w < features.words.size(); ++w) {
    const PageWord& word = features.words[w];
    if (word.vote == 0) continue;
    ranked.emplace_back(static_cast<float>(word.count) * word.idf * (in_title[w] ? kTitleFactor : 1.0F), w);
  }
  const std::size_t kept = std::min<std::size_t>(options_.topic_keywords, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept), ranked.end(),
                    [&](const auto& x, const auto& y) {
                      if (x.first != y.first) return x.first > y.first;
                      return features.words[x.second].hash < features.words[y.second].hash;
                    });
  float sum = 0;
  for (std::size_t i = 0; i < kept; ++i) sum += ranked[i].first;
  for (std::size_t i = 0; i < kept && sum > 0; ++i) topic_weight_[ranked[i].second] = ranked[i].first / sum;
}

float FeatureBuilder::relevance(const SentenceFeatures& sentence, const PageFeatures& features) {
  float share = 0;
  for (std::uint32_t t = sentence.words.begin; t < sentence.words.end; ++t) {
    const std::uint32_t word = features.word_of_token[t];
    if (topic_weight_[word] == 0) continue;
    bool is_first = true;  // a keyword counts once a sentence
    for (std::uint32_t before = sentence.words.begin; before < t && is_first; ++before) {
      is_first = features.word_of_token[before] != word;
    }
    if (is_first) share += topic_weight_[word];
  }
  return share;
}

void FeatureBuilder::weigh_sentences(PageFeatures& features) {
  for (const ParagraphFeatures& paragraph : features.paragraphs) {
    std::uint32_t longest = 0;
    for (std::uint32_t s = paragraph.sentences.begin; s < paragraph.sentences.end; ++s) {
      longest = std::max(longest, features.sentences[s].content_characters);
    }
    for (std::uint32_t s = paragraph.sentences.begin; s < paragraph.sentences.end; ++s) {
      SentenceFeatures& sentence = features.sentences[s];
      if (sentence.content_characters < options_.sentence_candidate_characters) continue;
      sentence.weight = sentence_weight(sentence.content_characters, longest, s - paragraph.sentences.begin,
                                        paragraph.sentences.size(), relevance(sentence, features));
    }
  }
}

}  // namespace paraprint
