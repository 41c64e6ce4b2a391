// Inverse document frequency and hash of words (algorithms.md 0.3, 0.4).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/model.h"
#include "paraprint/result.h"
#include "text/word_segmenter.h"

namespace paraprint {

// What a feature needs to know of a word.
struct WordWeight {
  Fingerprint128 hash;  // MurmurHash3_x64_128 of its UTF-8 bytes
  float idf = 0;        // log10(D / n)
  bool is_stop_word = false;
};

// How many documents hold a word; the word as the first half of its MurmurHash3_x64_128.
struct WordCount {
  std::uint64_t hash = 0;
  std::uint32_t documents = 0;
  friend bool operator==(const WordCount&, const WordCount&) = default;
};

// In every function `word` is the bytes of the token, normalised: token.word(text).
class WordWeights {
 public:
  // The bundled table: jieba's for Han words (natural logarithms there, base 10 here), our own counts for others.
  // Words in neither get log10(D) of the collection for their script: one document is assumed to hold them.
  static const WordWeights& bundled();

  // Weights learnt from `documents` documents. Words without a count are taken as held by one document.
  WordWeights(std::uint64_t documents, const std::vector<WordCount>& counts);

  float idf(const Token& token, std::string_view word) const { return weigh(token, word).idf; }

  static Fingerprint128 hash(const Token& token, std::string_view word);

  // All of it in one lookup: an array element for dictionary words (5 to 10 ns), a hash and a probe for others (30 ns).
  WordWeight weigh(const Token& token, std::string_view word) const;

  // Replaces `weights` by weigh() of each token of `text`. Faster than one by one: the tables are larger than the
  // caches, and here the look-ups of many words are under way at the same time.
  void weigh(std::span<const Token> tokens, std::string_view text, std::vector<WordWeight>& weights) const;

  // Identity of the table, for fingerprint headers.
  std::uint64_t version() const { return version_; }

 private:
  WordWeights();

  struct LearntSlot {
    std::uint64_t key = 0;  // 0: empty
    float idf = 0;
  };
  float learnt_idf(std::uint64_t hash) const;
  void prefetch_word(std::uint32_t word_id) const;
  void prefetch_hash(std::uint64_t hash) const;
  WordWeight weigh_dictionary_word(std::uint32_t word_id) const;
  WordWeight weigh_other_word(const Fingerprint128& hash, std::string_view word) const;

  bool is_learnt_ = false;
  float default_idf_ = 0;
  std::uint64_t version_ = 0;
  std::vector<float> learnt_dictionary_idf_;  // by word id
  std::vector<LearntSlot> learnt_slots_;      // open addressing; size a power of two
};

// Counts in how many documents each word occurs. Memory stays bounded and the result depends on neither the order of
// documents nor on how they were shared out between counters: words of the bundled tables are always counted; of the
// others, when they grow too many, those with a large hash are given up (a fixed random half, quarter, ... of all
// words).
class DocumentFrequencyCounter {
 public:
  // 16 bytes each, and the table is kept at most half full.
  static constexpr std::size_t kDefaultMaximumWords = std::size_t{1} << 21;

  explicit DocumentFrequencyCounter(std::size_t maximum_words = kDefaultMaximumWords);

  // Counts one document: each of its words once.
  void add_document(const std::vector<Token>& tokens, std::string_view text);

  // Adds the counts of another counter with the same maximum.
  void merge(const DocumentFrequencyCounter& other);

  std::uint64_t documents() const { return documents_; }

  // Counts in order of hash.
  std::vector<WordCount> counts() const;

  // The counts as bytes (docs/formats/distributed.md), in parts that each hold the words of some hashes: a pure
  // function of the documents. Merging all parts into a counter with the same maximum is merging this one.
  std::vector<std::string> encode(std::uint32_t parts) const;
  // kUnsupported for bytes made with another dictionary, kCorruptData for others; then the counter is of no use.
  Status merge_encoded(std::string_view bytes);

  WordWeights weights() const { return {documents_, counts()}; }

 private:
  struct Slot {
    std::uint64_t key = 0;  // 0: empty
    std::uint32_t documents = 0;
    std::uint32_t is_bundled = 0;
  };
  void add(std::uint64_t hash, std::uint32_t documents);
  void insert_slot(const Slot& slot);
  void grow();
  void shrink_to_limit();

  std::size_t maximum_words_;
  std::uint64_t documents_ = 0;
  std::uint64_t hash_limit_ = ~std::uint64_t{0};  // words with a larger hash are given up, unless bundled
  std::size_t free_words_ = 0;                    // words in slots_ that are not bundled
  std::size_t used_slots_ = 0;
  std::vector<std::uint32_t> dictionary_documents_;  // by word id
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> scratch_ids_;
  std::vector<std::uint64_t> scratch_hashes_;
};

}  // namespace paraprint
