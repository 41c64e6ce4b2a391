// Derives from paragraphs their words, weighted sentences and the votes that fingerprints are made of
// (docs/algorithms/sentence-weights-and-anchors.md, docs/algorithms/simhash.md).
//
// The text is normalised and segmented once, sentence by sentence; everything else is ranges over the results. Texts
// are equal (have equal hashes) if their content characters are equal: letters and digits after normalisation.
// Punctuation, spacing and markup do not count, so `iOS 系统` equals `iOS系统`.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "feature/sentence_relevance.h"
#include "memory/seeded_hash.h"
#include "paraprint/model.h"
#include "text/normalise.h"
#include "text/synonym_table.h"
#include "text/word_segmenter.h"
#include "text/word_weights.h"

namespace paraprint::inline feature {

struct IndexRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t size() const { return end - begin; }
};

// A distinct word of the page. If synonyms are compared as one, hash and weight are those of the representative of its
// class.
struct PageWord {
  Fingerprint128 hash;
  float idf = 0;
  // The contribution of one occurrence to a SimHash: llround(idf * 65536), multiplied by the weight of the part of
  // speech if that option is set; 0 for stop words.
  std::uint32_t vote = 0;
  std::uint32_t count = 0;  // occurrences in the page
  bool is_number = false;   // begins with a digit
  IndexRange neighbours;    // into PageFeatures::neighbours: additional votes of one occurrence
};

// A word of similar meaning that votes in addition to a word of the page.
struct NeighbourVote {
  Fingerprint128 hash;
  std::uint32_t vote = 0;
};

struct SentenceFeatures {
  TextSpan span;     // in MainContent::text
  IndexRange words;  // into PageFeatures::word_of_token
  TextSpan content;  // in PageFeatures::content_text
  std::uint32_t paragraph = 0;
  std::uint32_t content_characters = 0;
  float weight = 0;  // sentence_weight(); 0 if the sentence is not a candidate
};

struct ParagraphFeatures {
  IndexRange sentences;              // into PageFeatures::sentences
  IndexRange words;                  // into PageFeatures::word_of_token
  TextSpan content;                  // in PageFeatures::content_text
  std::uint32_t distinct_words = 0;  // without stop words
};

// The weight of a sentence, 0.3 length + 0.3 position + 0.4 relevance
// (docs/algorithms/sentence-weights-and-anchors.md): its characters compared with those of the longest sentence of its
// paragraph, its 0-based place among `sentences` sentences, and its share of the topic's weight, in [0, 1].
float sentence_weight(std::uint32_t characters, std::uint32_t longest_characters, std::uint32_t place,
                      std::uint32_t sentences, float relevance);

struct PageFeatures {
  std::string content_text;  // content characters of the page, without separators
  std::vector<PageWord> words;
  std::vector<NeighbourVote> neighbours;
  std::vector<std::uint32_t> word_of_token;  // index into words, in text order
  std::vector<SentenceFeatures> sentences;
  std::vector<ParagraphFeatures> paragraphs;
  std::uint32_t content_characters = 0;
  void clear();
};

struct FeatureOptions {
  std::uint32_t topic_keywords = 10;                 // number of top tf-idf terms that form a topic
  std::uint32_t sentence_candidate_characters = 20;  // shorter sentences have no weight
  bool fold_traditional = true;                      // see docs/algorithms/normalisation.md
  bool use_blake2b = false;                          // hash words by B128 instead of M128 (docs/algorithms/hashes.md)
  bool weigh_part_of_speech = false;                 // multiply votes by the weight of the part of speech
  const SynonymTable* synonyms = nullptr;            // words compared as one; must outlive the builder
  // What relevance is the mean of: keywords of the page, of the paragraph, and a model if one is given.
  bool keyword_relevance = true;
  bool paragraph_relevance = false;
  SentenceRelevance* model_relevance = nullptr;  // must outlive the builder and not be shared with another one
};

// Identifies a word within a page: its bytes, padded with zeros, or a hash of them if it is longer.
struct WordKey {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// Keeps scratch memory; use one instance per thread. `weights` must outlive it.
class FeatureBuilder {
 public:
  FeatureBuilder(const WordWeights& weights, FeatureOptions options);

  // Replaces `features`; they are incomplete if `stop` is stopped in between. Cost: O(text).
  void build(const MainContent& content, const std::vector<Paragraph>& paragraphs, PageFeatures& features,
             StopCheck& stop);
  void build(const MainContent& content, const std::vector<Paragraph>& paragraphs, PageFeatures& features) {
    StopCheck never;
    build(content, paragraphs, features, never);
  }

 private:
  // Half of the hash of a word's key, and the word's index: small, so that the table of most pages fits the first-level
  // cache.
  struct KeySlot {
    std::uint32_t hash_part = 0;
    std::uint32_t word = kNoWord;
  };
  static constexpr std::uint32_t kNoWord = 0xFFFFFFFF;

  struct LastSeen {
    std::uint32_t stamp = 0;   // of the last paragraph with the word
    std::uint32_t counts = 0;  // 1; 0 for stop words
  };

  // A candidate for a topic. Ranks are compared as one number, because many words of a page have equal weights.
  struct RankedWord {
    std::uint64_t rank =
        0;  // tf * idf, which is not negative, as bits; then the first bits of the word's hash, inverted
    std::uint32_t word = 0;

    float weight() const { return std::bit_cast<float>(static_cast<std::uint32_t>(rank >> 32)); }
  };

  struct KeywordShare {
    float weight = 0;                    // its share of the topic's weight, 0 for most words
    std::uint32_t counted_at = kNoWord;  // the first token of the last sentence in which it was counted
  };

  void add_sentences(const MainContent& content, const std::vector<Paragraph>& paragraphs, PageFeatures& features,
                     StopCheck& stop);
  void add_sentence(std::string_view text, TextSpan span, std::uint32_t paragraph, PageFeatures& features,
                    StopCheck& stop);
  void find_tokens(std::string_view text, StopCheck& stop);
  void append_words(PageFeatures& features, StopCheck& stop);
  std::uint32_t find_word(const Token& token, std::string_view bytes, const WordKey& key, std::uint64_t hash,
                          const std::string& content, std::size_t& slot) const;
  void add_topic_candidate(float weight, std::uint32_t word, const PageFeatures& features);
  void store_topic(const PageFeatures& features, std::vector<KeywordShare>& topic);
  std::uint32_t count_word(const Token& token, std::string_view bytes, PageFeatures& features);
  void fill_slots(std::size_t count);
  void weigh_words(PageFeatures& features, StopCheck& stop);
  std::uint32_t vote_of(const Token& token, std::string_view bytes, const WordWeight& weight) const;
  void weigh_synonyms();
  void apply_synonyms(std::uint64_t hash, PageWord& word, PageFeatures& features) const;
  void count_distinct_words(PageFeatures& features);
  void choose_topic(const MainContent& content, const PageFeatures& features, StopCheck& stop);
  void choose_paragraph_topic(const ParagraphFeatures& paragraph, const PageFeatures& features);
  void weigh_sentences(PageFeatures& features, StopCheck& stop);
  float relevance(const SentenceFeatures& sentence, const PageFeatures& features);
  static float keyword_relevance(const SentenceFeatures& sentence, const PageFeatures& features,
                                 std::vector<KeywordShare>& topic);

  const WordWeights& weights_;
  FeatureOptions options_;
  Normaliser normaliser_;
  const WordSegmenter& segmenter_;
  const HashSeed seed_ = process_hash_seed();  // of the table of words
  std::string normalised_;
  std::vector<Token> tokens_;
  std::vector<TextSpan> spans_;
  std::vector<KeySlot> slots_;                 // the page's words by key: open addressing, size a power of two
  std::vector<WordKey> keys_;                  // per word
  std::vector<Token> first_tokens_;            // per word: its first occurrence, in PageFeatures::content_text
  std::vector<WordWeight> weights_of_;         // per word
  std::vector<LastSeen> last_seen_;            // per word
  std::vector<KeywordShare> topic_words_;      // per word
  std::vector<KeywordShare> paragraph_words_;  // the same for one paragraph; 0 for words of others
  std::vector<RankedWord> ranked_;             // candidates for the topic that was chosen last
  std::vector<std::uint64_t> hashes_;          // per word: H64, for the relevance model
  std::vector<PageWord> synonyms_;             // by index into SynonymTable::words()
};

}  // namespace paraprint::inline feature
