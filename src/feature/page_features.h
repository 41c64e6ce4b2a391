// Paragraphs -> words, weighted sentences and the numbers that fingerprints are made of (algorithms.md 0.2, 0.3, 20,
// 21).
//
// The text is normalised and segmented once, sentence by sentence; everything else is ranges over the results. Equality
// of text (hashes) is equality of content characters, letters and digits after normalisation: punctuation, spacing and
// markup do not count, so `iOS 系统` equals `iOS系统`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "feature/sentence_relevance.h"
#include "paraprint/model.h"
#include "text/normalise.h"
#include "text/synonym_table.h"
#include "text/word_segmenter.h"
#include "text/word_weights.h"

namespace paraprint {

struct IndexRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t size() const { return end - begin; }
};

// A distinct word of the page. Where synonyms are compared as one, hash and weight are those of the word that stands
// for its class.
struct PageWord {
  Fingerprint128 hash;
  float idf = 0;
  // llround(idf * 65536), times the weight of the part of speech where that is asked for: what one occurrence adds to a
  // SimHash; 0 for stop words
  std::uint32_t vote = 0;
  std::uint32_t count = 0;  // occurrences in the page
  bool is_number = false;   // begins with a digit
  IndexRange neighbours;    // into PageFeatures::neighbours: what one occurrence adds besides
};

// A word of nearly the same meaning that votes beside a word of the page.
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
  float weight = 0;  // algorithms.md 20: 0.3 length + 0.3 position + 0.4 relevance; 0 when not a candidate
};

struct ParagraphFeatures {
  IndexRange sentences;              // into PageFeatures::sentences
  IndexRange words;                  // into PageFeatures::word_of_token
  TextSpan content;                  // in PageFeatures::content_text
  std::uint32_t distinct_words = 0;  // without stop words; counted up to kDistinctWordsCounted
};

// algorithms.md 20: 0.3 length + 0.3 position + 0.4 relevance. `characters` of the sentence and of the longest one of
// its paragraph, its place among `sentences` sentences from 0, and the share of the topic's weight that it holds, in
// [0, 1].
float sentence_weight(std::uint32_t characters, std::uint32_t longest_characters, std::uint32_t place,
                      std::uint32_t sentences, float relevance);

struct PageFeatures {
  std::string content_text;  // content characters of the page, nothing between them
  std::vector<PageWord> words;
  std::vector<NeighbourVote> neighbours;
  std::vector<std::uint32_t> word_of_token;  // index into words, in text order
  std::vector<SentenceFeatures> sentences;
  std::vector<ParagraphFeatures> paragraphs;
  std::uint32_t content_characters = 0;
  void clear();
};

struct FeatureOptions {
  std::uint32_t topic_keywords = 10;                 // algorithms.md 20: top tf-idf terms of the page
  std::uint32_t sentence_candidate_characters = 20;  // algorithms.md 20
  bool fold_traditional = true;                      // algorithms.md 0.1
  bool use_blake2b = false;                          // B128 instead of M128 as word hash (algorithms.md 0.4)
  bool weigh_part_of_speech = false;                 // votes times the weight of the part of speech
  const SynonymTable* synonyms = nullptr;            // words compared as one; must outlive the builder
  bool keyword_relevance = true;                     // of sentences; with the next one also, the mean of both
  SentenceRelevance* model_relevance = nullptr;      // must outlive the builder, and be its alone
};

// Holds scratch memory: one instance a thread. `weights` must outlive it.
class FeatureBuilder {
 public:
  FeatureBuilder(const WordWeights& weights, FeatureOptions options);

  // Replaces `features`. O(text) plus the word tables.
  void build(const MainContent& content, const std::vector<Paragraph>& paragraphs, PageFeatures& features);

 private:
  // Half of a word's key, and which word: small, so that the table of most pages stays in the innermost cache.
  struct Slot {
    std::uint32_t key_part = 0;
    std::uint32_t word = kNoWord;
  };
  static constexpr std::uint32_t kNoWord = 0xFFFFFFFF;

  struct LastSeen {
    std::uint32_t stamp = 0;   // of the paragraph that last held the word
    std::uint32_t counts = 0;  // 1; 0 for stop words
  };

  void add_sentence(std::string_view text, TextSpan span, std::uint32_t paragraph, PageFeatures& features);
  void find_tokens(std::string_view text);
  void append_words(PageFeatures& features);
  std::uint32_t find_word(std::uint64_t key, std::size_t& slot) const;
  std::uint32_t count_word(std::uint64_t key, PageFeatures& features);
  void fill_slots(std::size_t count);
  void weigh_words(PageFeatures& features);
  std::uint32_t vote_of(const Token& token, std::string_view bytes, const WordWeight& weight) const;
  void weigh_synonyms();
  void apply_synonyms(std::uint64_t hash, PageWord& word, PageFeatures& features) const;
  void count_distinct_words(PageFeatures& features);
  void choose_topic(const MainContent& content, const PageFeatures& features);
  void weigh_sentences(PageFeatures& features);
  float relevance(const SentenceFeatures& sentence, const PageFeatures& features) const;
  float keyword_relevance(const SentenceFeatures& sentence, const PageFeatures& features) const;

  const WordWeights& weights_;
  FeatureOptions options_;
  Normaliser normaliser_;
  const WordSegmenter& segmenter_;
  std::string normalised_;
  std::vector<Token> tokens_;
  std::vector<TextSpan> spans_;
  std::vector<Slot> slots_;             // the page's words by key, open addressing; a power of two
  std::vector<std::uint64_t> keys_;     // per word
  std::vector<Token> first_tokens_;     // per word: where it stands first, in PageFeatures::content_text
  std::vector<WordWeight> weights_of_;  // per word
  std::vector<LastSeen> last_seen_;     // per word
  std::vector<float> topic_weight_;     // per word: share of the topic, 0 for most
  std::vector<std::uint64_t> hashes_;   // per word: H64, for the model of relevance
  std::vector<PageWord> synonyms_;      // by index into SynonymTable::words()
};

}  // namespace paraprint
