// Words are first only numbered, by a page-local hash table, and weighed together at the end: looking up weights one by
// one would wait for memory at every word. Numbering is the hot loop, so it avoids branches on the length of words,
// reads and copies in fixed steps of 16 bytes, and keeps slots small.
//
// Nothing that is stored depends on the page-local table, which is seeded per process so that no page can crowd it;
// hashes come from the word weights or from BLAKE2b.
#include "feature/page_features.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>
#include <string_view>

#include "base/hash.h"
#include "text/part_of_speech.h"
#include "text/sentence.h"

namespace paraprint::inline feature {
namespace {

constexpr double kVoteScale = 65536;  // votes are integers, so that sums are exact (docs/algorithms/word-weights.md)

// Slots of the table of words at first, powers of two: about half of what a short text has characters, which is enough,
// and so many that most pages have enough.
constexpr std::size_t kFewestSlots = 64;
constexpr std::size_t kFirstSlotsMaximum = 1024;

// Shares of the sentence weight and position values; see docs/algorithms/sentence-weights-and-anchors.md.
constexpr float kLengthShare = 0.3F;
constexpr float kPositionShare = 0.3F;
constexpr float kRelevanceShare = 0.4F;
constexpr float kFirstPosition = 1.0F;
constexpr float kLastPosition = 0.8F;
constexpr float kMiddlePosition = 0.5F;
constexpr float kTitleFactor = 2.0F;  // topic words in the title count double

// Words are read and copied in steps of fixed size, so most of them need neither a loop nor a call. A normalised text
// must therefore be followed by this many readable bytes.
constexpr std::size_t kStepBytes = 16;

// The high half of the keys of words longer than kStepBytes. No bytes of UTF-8 look like it.
constexpr std::uint64_t kLongWord = ~std::uint64_t{0};

// kStepBytes must be readable from the start of the word on.
WordKey key_of(std::string_view bytes, const HashSeed& seed) {
  if (bytes.size() > kStepBytes) return {XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed.low), kLongWord};
  // Mask the bytes after the word: no branch on its length.
  static constexpr std::array<std::uint64_t, 4> kMask = {~std::uint64_t{0}, ~std::uint64_t{0}, 0, 0};
  std::array<std::uint64_t, 2> word;
  std::array<std::uint64_t, 2> mask;
  static_assert(sizeof(word) == kStepBytes && sizeof(kMask) == 2 * kStepBytes);
  std::memcpy(word.data(), bytes.data(), kStepBytes);
  std::memcpy(mask.data(), reinterpret_cast<const char*>(kMask.data()) + kStepBytes - bytes.size(), kStepBytes);
  return {word[0] & mask[0], word[1] & mask[1]};
}

// Both halves of a product of secret factors: which words share a slot depends on the seed.
std::uint64_t hash_of(const WordKey& key, const HashSeed& seed) {
  __extension__ using Word128 = unsigned __int128;
  const Word128 product = Word128{key.low ^ seed.low} * (key.high ^ seed.high);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::span<const std::uint32_t> words_in(IndexRange range, const PageFeatures& features) {
  return std::span(features.word_of_token).subspan(range.begin, range.size());
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
  neighbours.clear();
  word_of_token.clear();
  sentences.clear();
  paragraphs.clear();
  content_characters = 0;
}

FeatureBuilder::FeatureBuilder(const WordWeights& weights, FeatureOptions options)
    : weights_(weights),
      options_(options),
      normaliser_(NormaliseOptions{options.fold_traditional}),
      segmenter_(WordSegmenter::shared()) {
  if (options_.synonyms != nullptr) weigh_synonyms();
}

// Ranges are recorded while words and sentences are appended; weights need the whole page and come afterwards. The
// order of the last four steps matters: relevance needs the topic, the topic needs the words' weights.
void FeatureBuilder::build(const MainContent& content, const std::vector<Paragraph>& paragraphs, PageFeatures& features,
                           StopCheck& stop) {
  features.clear();
  keys_.clear();
  first_tokens_.clear();
  fill_slots(std::clamp(std::bit_ceil(content.text.size() / 2), kFewestSlots, kFirstSlotsMaximum));
  add_sentences(content, paragraphs, features, stop);
  if (stop.is_stopped()) return;
  weigh_words(features, stop);
  if (stop.is_stopped()) return;
  count_distinct_words(features);
  choose_topic(content, features, stop);
  weigh_sentences(features, stop);
}

void FeatureBuilder::add_sentences(const MainContent& content, const std::vector<Paragraph>& paragraphs,
                                   PageFeatures& features, StopCheck& stop) {
  for (std::size_t p = 0; p < paragraphs.size(); ++p) {
    const TextSpan span = paragraphs[p].span;
    const std::string_view text = std::string_view(content.text).substr(span.begin_bytes, span.size_bytes());
    ParagraphFeatures paragraph;
    paragraph.sentences.begin = static_cast<std::uint32_t>(features.sentences.size());
    paragraph.words.begin = static_cast<std::uint32_t>(features.word_of_token.size());
    paragraph.content.begin_bytes = static_cast<std::uint32_t>(features.content_text.size());
    split_sentences(text, spans_);
    for (const TextSpan sentence : spans_) {
      const TextSpan in_page{span.begin_bytes + sentence.begin_bytes, span.begin_bytes + sentence.end_bytes};
      add_sentence(text.substr(sentence.begin_bytes, sentence.size_bytes()), in_page, static_cast<std::uint32_t>(p),
                   features, stop);
      if (stop.is_stopped() || stop.after(StopCheck::kUnitsPerNode + sentence.size_bytes())) return;
    }
    paragraph.sentences.end = static_cast<std::uint32_t>(features.sentences.size());
    paragraph.words.end = static_cast<std::uint32_t>(features.word_of_token.size());
    paragraph.content.end_bytes = static_cast<std::uint32_t>(features.content_text.size());
    features.paragraphs.push_back(paragraph);
  }
}

// Sentences without words are dropped, so that indexes of sentences count only those that can be compared.
void FeatureBuilder::add_sentence(std::string_view text, TextSpan span, std::uint32_t paragraph, PageFeatures& features,
                                  StopCheck& stop) {
  find_tokens(text, stop);
  if (tokens_.empty() || stop.is_stopped()) return;
  SentenceFeatures sentence;
  sentence.span = span;
  sentence.paragraph = paragraph;
  sentence.words.begin = static_cast<std::uint32_t>(features.word_of_token.size());
  sentence.content.begin_bytes = static_cast<std::uint32_t>(features.content_text.size());
  append_words(features, stop);
  sentence.words.end = static_cast<std::uint32_t>(features.word_of_token.size());
  sentence.content.end_bytes = static_cast<std::uint32_t>(features.content_text.size());
  // Counts characters: every byte that is not a continuation byte starts one.
  const char* const content = features.content_text.data();
  sentence.content_characters = static_cast<std::uint32_t>(
      std::count_if(content + sentence.content.begin_bytes, content + sentence.content.end_bytes,
                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  features.content_characters += sentence.content_characters;
  features.sentences.push_back(sentence);
}

// Normalises a text and segments it into tokens_, then appends the zero bytes that the fixed steps may read.
void FeatureBuilder::find_tokens(std::string_view text, StopCheck& stop) {
  normalised_.clear();
  normaliser_.append_normalised(text, normalised_, stop);
  tokens_.clear();
  if (!stop.is_stopped()) segmenter_.segment(normalised_, tokens_, stop);
  normalised_.append(kStepBytes, '\0');
}

// Appends the sentence's words to the content text without separators, and their numbers to word_of_token. The last
// copy may write up to a step beyond the words; the text is resized to its real end afterwards.
void FeatureBuilder::append_words(PageFeatures& features, StopCheck& stop) {
  std::string& content = features.content_text;
  std::size_t end = content.size();
  content.resize(end + normalised_.size());
  in_pieces(tokens_.size(), stop, [&](std::size_t first, std::size_t last) {
    for (const Token& token : std::span(tokens_).subspan(first, last - first)) {
      const std::size_t size = token.end_bytes - token.begin_bytes;
      const std::size_t begin = end;
      end += size;
      for (std::size_t copied = 0; copied < size; copied += kStepBytes) {
        std::memcpy(&content[begin + copied], &normalised_[token.begin_bytes + copied], kStepBytes);
      }
      const std::uint32_t word = count_word(token, token.word(normalised_), features);
      if (word == first_tokens_.size()) {
        first_tokens_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), token.word_id});
      }
      features.word_of_token.push_back(word);
    }
  });
  content.resize(end);
}

// The index of the word, or kNoWord; `slot` is its slot or the free one for it. Most mismatches are decided by the half
// of the hash in the slot. Then keys are compared, and for long words, whose keys are hashes, the bytes.
inline std::uint32_t FeatureBuilder::find_word(const Token& token, std::string_view bytes, const WordKey& key,
                                               std::uint64_t hash, const std::string& content,
                                               std::size_t& slot) const {
  const auto is_word = [&](std::uint32_t word) {
    const Token& first = first_tokens_[word];
    return keys_[word].low == key.low && keys_[word].high == key.high && first.word_id == token.word_id &&
           (key.high != kLongWord || first.word(content) == bytes);
  };
  const std::size_t mask = slots_.size() - 1;
  const auto hash_part = static_cast<std::uint32_t>(hash >> 32);
  for (slot = hash & mask;; slot = (slot + 1) & mask) {
    const KeySlot found = slots_[slot];
    if (found.word == kNoWord) return kNoWord;
    if (found.hash_part == hash_part && is_word(found.word)) return found.word;
  }
}

// Counts an occurrence of the word, adding the word if it is new, and returns its index. The table is kept at most half
// full.
std::uint32_t FeatureBuilder::count_word(const Token& token, std::string_view bytes, PageFeatures& features) {
  const WordKey key = key_of(bytes, seed_);
  const std::uint64_t hash = hash_of(key, seed_);
  std::size_t slot = 0;
  std::uint32_t word = find_word(token, bytes, key, hash, features.content_text, slot);
  if (word == kNoWord) {
    word = static_cast<std::uint32_t>(keys_.size());
    slots_[slot] = {static_cast<std::uint32_t>(hash >> 32), word};
    keys_.push_back(key);
    features.words.emplace_back();
    if (2 * keys_.size() > slots_.size()) fill_slots(2 * slots_.size());
  }
  ++features.words[word].count;
  return word;
}

// Rebuilds the table with `count` slots, a power of two, for the words found so far.
void FeatureBuilder::fill_slots(std::size_t count) {
  slots_.assign(count, KeySlot{});
  for (std::uint32_t word = 0; word < keys_.size(); ++word) {
    const std::uint64_t hash = hash_of(keys_[word], seed_);
    std::size_t slot = hash & (count - 1);
    while (slots_[slot].word != kNoWord) slot = (slot + 1) & (count - 1);
    slots_[slot] = {static_cast<std::uint32_t>(hash >> 32), word};
  }
}

// Looks up hash and weight of all words at once, so that the cache misses of the lookups overlap.
void FeatureBuilder::weigh_words(PageFeatures& features, StopCheck& stop) {
  weights_.weigh(first_tokens_, features.content_text, weights_of_, stop);
  for (std::size_t i = 0; i < weights_of_.size() && !stop.is_stopped(); ++i) {
    const WordWeight& weight = weights_of_[i];
    PageWord& word = features.words[i];
    word.hash = options_.use_blake2b ? blake2b128(first_tokens_[i].word(features.content_text)) : weight.hash;
    word.idf = weight.idf;
    const char first = features.content_text[first_tokens_[i].begin_bytes];
    word.is_number = first >= '0' && first <= '9';
    word.vote = vote_of(first_tokens_[i], first_tokens_[i].word(features.content_text), weight);
    if (options_.synonyms != nullptr) apply_synonyms(weight.hash.high, word, features);
  }
}

// The contribution of one occurrence of a word to a SimHash.
std::uint32_t FeatureBuilder::vote_of(const Token& token, std::string_view bytes, const WordWeight& weight) const {
  if (weight.is_stop_word) return 0;
  const double factor =
      options_.weigh_part_of_speech ? part_of_speech_weight(part_of_speech_of_word(token, bytes, false)) : 1.0;
  // Rounds as std::llround() does, which is a call; the product is not negative.
  return static_cast<std::uint32_t>(weight.idf * factor * kVoteScale + 0.5);
}

// Computes hash and weight of the words in the synonym table, once per builder.
void FeatureBuilder::weigh_synonyms() {
  for (const std::string& text : options_.synonyms->words()) {
    const Token token{0, static_cast<std::uint32_t>(text.size()), segmenter_.find_word(text)};
    const WordWeight weight = weights_.weigh(token, text);
    PageWord& word = synonyms_.emplace_back();
    word.hash = options_.use_blake2b ? blake2b128(text) : weight.hash;
    word.idf = weight.idf;
    word.vote = vote_of(token, text, weight);
  }
}

// Replaces a word by the representative of its class and adds the votes of its neighbours. `hash` is the H64 of the
// page's own word, by which the table is searched.
void FeatureBuilder::apply_synonyms(std::uint64_t hash, PageWord& word, PageFeatures& features) const {
  const SynonymTable::Entry* entry = options_.synonyms->find(hash);
  if (entry == nullptr) return;
  if (entry->representative != SynonymTable::kNoWord) {
    const PageWord& representative = synonyms_[entry->representative];
    word.hash = representative.hash;
    word.idf = representative.idf;
    word.vote = representative.vote;
  }
  word.neighbours.begin = static_cast<std::uint32_t>(features.neighbours.size());
  for (const SynonymTable::Neighbour& neighbour : options_.synonyms->neighbours(*entry)) {
    const float vote = static_cast<float>(word.vote) * neighbour.weight;
    features.neighbours.push_back({synonyms_[neighbour.word].hash, static_cast<std::uint32_t>(std::lround(vote))});
  }
  word.neighbours.end = static_cast<std::uint32_t>(features.neighbours.size());
}

// Stamps mark the words seen in the current paragraph, which avoids clearing a set per paragraph.
void FeatureBuilder::count_distinct_words(PageFeatures& features) {
  last_seen_.resize(features.words.size());
  std::transform(features.words.begin(), features.words.end(), last_seen_.begin(), [](const PageWord& word) {
    return LastSeen{0, word.vote == 0 ? std::uint32_t{0} : std::uint32_t{1}};
  });
  std::uint32_t stamp = 0;
  for (ParagraphFeatures& paragraph : features.paragraphs) {
    ++stamp;
    for (std::uint32_t t = paragraph.words.begin; t < paragraph.words.end; ++t) {
      LastSeen& seen = last_seen_[features.word_of_token[t]];
      paragraph.distinct_words += seen.stamp != stamp ? seen.counts : 0;
      seen.stamp = stamp;
    }
  }
}

// Chooses the page's top tf-idf terms, with title terms doubled, and stores their shares of the sum. Ties are broken by
// the smaller hash, so that the choice depends only on the page. Title words that do not occur in the text are ignored.
void FeatureBuilder::choose_topic(const MainContent& content, const PageFeatures& features, StopCheck& stop) {
  topic_words_.assign(features.words.size(), KeywordShare{});
  std::vector<bool> in_title;  // empty: none is
  if (!content.title.empty()) {
    in_title.resize(features.words.size());
    find_tokens(content.title, stop);
    for (const Token& token : tokens_) {
      std::size_t slot = 0;
      const std::string_view bytes = token.word(normalised_);
      const WordKey key = key_of(bytes, seed_);
      const std::uint32_t word = find_word(token, bytes, key, hash_of(key, seed_), features.content_text, slot);
      if (word != kNoWord) in_title[word] = true;
    }
  }
  ranked_.clear();
  for (std::uint32_t w = 0; w < features.words.size(); ++w) {
    const PageWord& word = features.words[w];
    if (word.vote == 0) continue;
    const float factor = !in_title.empty() && in_title[w] ? kTitleFactor : 1.0F;
    add_topic_candidate(static_cast<float>(word.count) * word.idf * factor, w, features);
  }
  store_topic(features, topic_words_);
}

// The same for the words of one paragraph, in which titles do not count. Requires that paragraph_words_ is all 0.
void FeatureBuilder::choose_paragraph_topic(const ParagraphFeatures& paragraph, const PageFeatures& features) {
  const std::span<const std::uint32_t> words = words_in(paragraph.words, features);
  for (const std::uint32_t w : words) {
    if (features.words[w].vote != 0) paragraph_words_[w].weight += 1;
  }
  ranked_.clear();
  for (const std::uint32_t w : words) {
    if (paragraph_words_[w].weight == 0) continue;
    add_topic_candidate(paragraph_words_[w].weight * features.words[w].idf, w, features);
    paragraph_words_[w] = {};
  }
  store_topic(features, paragraph_words_);
}

void FeatureBuilder::add_topic_candidate(float weight, std::uint32_t word, const PageFeatures& features) {
  const std::uint64_t weight_bits = std::bit_cast<std::uint32_t>(weight);
  ranked_.push_back({(weight_bits << 32) | (~features.words[word].hash.high >> 32), word});
}

// Gives the heaviest words of ranked_ their shares of their sum.
void FeatureBuilder::store_topic(const PageFeatures& features, std::vector<KeywordShare>& topic) {
  const std::size_t kept = std::min<std::size_t>(options_.topic_keywords, ranked_.size());
  std::partial_sort(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(kept), ranked_.end(),
                    [&](const RankedWord& x, const RankedWord& y) {
                      if (x.rank != y.rank) return x.rank > y.rank;
                      return features.words[x.word].hash < features.words[y.word].hash;
                    });
  float sum = 0;
  for (std::size_t i = 0; i < kept; ++i) sum += ranked_[i].weight();
  for (std::size_t i = 0; i < kept && sum > 0; ++i) topic[ranked_[i].word].weight = ranked_[i].weight() / sum;
}

float FeatureBuilder::relevance(const SentenceFeatures& sentence, const PageFeatures& features) {
  float sum = 0;
  float parts = 0;
  const auto add = [&](float part) {
    sum += part;
    ++parts;
  };
  if (options_.keyword_relevance) add(keyword_relevance(sentence, features, topic_words_));
  if (options_.paragraph_relevance) add(keyword_relevance(sentence, features, paragraph_words_));
  if (options_.model_relevance != nullptr) {
    add(options_.model_relevance->relevance(words_in(sentence.words, features)));
  }
  return parts > 1 ? sum / parts : sum;
}

// A keyword counts once per sentence.
float FeatureBuilder::keyword_relevance(const SentenceFeatures& sentence, const PageFeatures& features,
                                        std::vector<KeywordShare>& topic) {
  float share = 0;
  for (std::uint32_t t = sentence.words.begin; t < sentence.words.end; ++t) {
    KeywordShare& word = topic[features.word_of_token[t]];
    if (word.weight == 0 || word.counted_at == sentence.words.begin) continue;
    word.counted_at = sentence.words.begin;
    share += word.weight;
  }
  return share;
}

// The position of a sentence counts all sentences of the paragraph, including those too short to be candidates.
void FeatureBuilder::weigh_sentences(PageFeatures& features, StopCheck& stop) {
  if (options_.model_relevance != nullptr) {
    hashes_.clear();
    for (const WordWeight& weight : weights_of_) hashes_.push_back(weight.hash.high);
    options_.model_relevance->begin_page(hashes_);
  }
  if (options_.paragraph_relevance) paragraph_words_.assign(features.words.size(), KeywordShare{});
  for (const ParagraphFeatures& paragraph : features.paragraphs) {
    if (stop.after(StopCheck::kUnitsPerNode + paragraph.words.size())) return;
    if (options_.paragraph_relevance) choose_paragraph_topic(paragraph, features);
    if (options_.model_relevance != nullptr) {
      options_.model_relevance->begin_paragraph(words_in(paragraph.words, features));
    }
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
    for (const RankedWord& word : ranked_) {
      if (options_.paragraph_relevance) paragraph_words_[word.word] = {};
    }
  }
}

}  // namespace paraprint::inline feature
