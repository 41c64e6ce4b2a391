// Inverse document frequency (docs/algorithms/word-weights.md) and hash (docs/algorithms/hashes.md) of words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "text/word_segmenter.h"

namespace paraprint::inline text {

// The properties of a word that features are made of.
struct WordWeight {
  Fingerprint128 hash;  // MurmurHash3_x64_128 of its UTF-8 bytes
  float idf = 0;        // log10(D / n)
  bool is_stop_word = false;
};

// The number of documents that contain a word, which is given by the first half of its MurmurHash3_x64_128.
struct WordCount {
  std::uint64_t hash = 0;
  std::uint32_t documents = 0;
  friend bool operator==(const WordCount&, const WordCount&) = default;
};

// In all functions, `word` is token.word(text) in normalised text. Thread-safe.
class WordWeights {
 public:
  // The bundled table: jieba's for Han words (converted from natural logarithms to base 10), our own counts for others.
  // Other words get log10(D) of the collection for their script, as if contained in one document.
  static const WordWeights& bundled();

  // Weights learnt from `documents` documents. Words without a count are treated as contained in one document, those
  // with a larger count as contained in all of them: no weight is negative.
  WordWeights(std::uint64_t documents, const std::vector<WordCount>& counts);

  float idf(const Token& token, std::string_view word) const { return weigh(token, word).idf; }

  static Fingerprint128 hash(const Token& token, std::string_view word);

  // Everything in one lookup: an array element for dictionary words (5 to 10 ns), a hash and probe for others (30 ns).
  WordWeight weigh(const Token& token, std::string_view word) const;

  // Replaces `weights` by weigh() of each token of `text`. Faster than separate calls, because the tables are larger
  // than the caches and the lookups of many words overlap.
  // If `stop` is stopped in between, the rest has no weight.
  void weigh(std::span<const Token> tokens, std::string_view text, std::vector<WordWeight>& weights,
             StopCheck& stop) const;

  // Identifies the table in settings identities.
  std::uint64_t version() const { return version_; }

 private:
  WordWeights();

  struct LearntSlot {
    std::uint64_t key = 0;  // 0: empty
    float idf = 0;
  };
  std::size_t learnt_position(std::uint64_t hash) const;
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

// Counts the documents that contain each word, in bounded memory. The result depends neither on the order of documents
// nor on their distribution over counters. Words of the bundled tables are always counted; if there are too many
// others, those with a large hash are dropped (a fixed random half, three quarters, ... of all words). Not thread-safe.
class DocumentFrequencyCounter {
 public:
  // 16 bytes per word, in a table that is at most half full.
  static constexpr std::size_t kDefaultMaximumWords = std::size_t{1} << 21;

  explicit DocumentFrequencyCounter(std::size_t maximum_words = kDefaultMaximumWords);

  // Counts one document; each of its words counts once.
  void add_document(const std::vector<Token>& tokens, std::string_view text);

  // Adds the counts of another counter with the same maximum.
  void merge(const DocumentFrequencyCounter& other);

  std::uint64_t documents() const { return documents_; }
  // Whether no word is in more documents than there are. Serialised counts of several parts must all have been merged:
  // only one of the parts has the number of documents.
  bool is_consistent() const;

  // The counts, ordered by hash.
  std::vector<WordCount> counts() const;

  // Serialises the counts (docs/formats/distributed.md) into `parts` parts, split by word; a pure function of the
  // documents. Merging all parts into a counter with the same maximum has the effect of merge().
  std::vector<std::string> encode(std::uint32_t parts) const;
  // kUnsupported for bytes made with a different dictionary, kCorruptData for damaged ones; after an error the counter
  // can only be destroyed.
  Status merge_encoded(std::string_view bytes);

  WordWeights weights() const { return {documents_, counts()}; }

 private:
  struct CountSlot {
    std::uint64_t key = 0;  // 0: empty
    std::uint32_t documents = 0;
    std::uint32_t is_bundled = 0;
  };
  std::size_t first_position(std::uint64_t hash) const;
  void add(std::uint64_t hash, std::uint32_t documents);
  void insert_slot(const CountSlot& slot);
  void grow();
  void shrink_to_limit();

  std::size_t maximum_words_;
  std::uint64_t documents_ = 0;
  std::uint64_t hash_limit_ = ~std::uint64_t{0};  // words with a larger mixed hash are dropped, unless bundled
  std::size_t free_words_ = 0;                    // words in slots_ that are not bundled
  std::size_t used_slots_ = 0;
  std::vector<std::uint32_t> dictionary_documents_;  // by word id
  std::vector<CountSlot> slots_;
  std::vector<std::uint32_t> scratch_ids_;
  std::vector<std::uint64_t> scratch_hashes_;
};

}  // namespace paraprint::inline text
