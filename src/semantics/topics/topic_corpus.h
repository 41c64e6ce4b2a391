// Converts pages to the corpus that topics are learnt from: for each page, its words and their counts.
//
// Words that carry no subject (stop words, numbers, words of most pages) and words of too few pages are left out. The
// result depends only on the set of pages, not on their order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "memory/seeded_hash.h"
#include "paraprint/model.h"
#include "text/normalise.h"
#include "text/word_segmenter.h"

namespace paraprint::inline semantics::inline topics {

// Documents as word counts. Document d has the entries from ends[d - 1] (0 for the first) up to ends[d].
struct TopicCorpus {
  std::vector<std::string> words;        // ascending by bytes
  std::vector<std::uint32_t> documents;  // by word: number of documents that contain it
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> word_of_entry;
  std::vector<std::uint16_t> count_of_entry;
  std::uint64_t running_words = 0;
  std::size_t size() const { return ends.size(); }
};

// Text with endless new words, such as serial numbers, must neither fill memory nor keep other words out.
inline constexpr std::size_t kPageWordsMaximum = std::size_t{1} << 16;
// Four times the largest number of words that a model may have.
inline constexpr std::size_t kSampleWordsMaximum = std::size_t{1} << 22;

struct TopicCorpusLimits {
  std::size_t pages_maximum = 0;        // of more pages, those whose text has the smallest hash are kept
  std::size_t words_maximum = 0;        // of more words, those in most documents are kept
  std::uint32_t documents_minimum = 1;  // documents that must contain a word
  double document_share_maximum = 1;    // share of the documents that may contain a word
  // If a page has more different words, words with a large mixed hash are left out: a half of all, three quarters, ...
  std::size_t page_words_maximum = kPageWordsMaximum;
  // If the pages have more different words altogether, those with the largest hash are left out. Not less than
  // page_words_maximum.
  std::size_t sample_words_maximum = kSampleWordsMaximum;
};

// Call order: add*, finish. Memory: about 6 bytes per distinct word of each page, and the words themselves.
class TopicCorpusBuilder {
 public:
  explicit TopicCorpusBuilder(const TopicCorpusLimits& limits) : limits_(limits) {}

  void add(const MainContent& content);

  std::uint64_t pages() const { return pages_; }                    // with different text
  std::uint64_t pages_repeated() const { return pages_repeated_; }  // with the text of an earlier page

  // The documents, ordered by the hash of their text. Documents without any kept word are left out.
  TopicCorpus finish();

 private:
  struct Document {
    std::uint64_t text_hash = 0;
    std::vector<std::uint32_t> words;
    std::vector<std::uint16_t> counts;
    friend bool operator<(const Document& x, const Document& y) { return x.text_hash < y.text_hash; }
  };

  struct CountedWord {
    std::string word;
    std::uint32_t count = 0;
  };
  // A word of the documents; without any, its id is free.
  struct SampleWord {
    std::uint64_t hash = 0;
    std::string word;
    std::uint32_t documents = 0;
  };

  void count_words(const MainContent& content);
  void count_word(const Token& token);
  void add_document(std::uint64_t text_hash);
  void drop_last_document();
  std::uint32_t id_of(std::uint64_t hash, std::string&& word);
  std::vector<std::uint32_t> chosen_words() const;

  TopicCorpusLimits limits_;
  Normaliser normaliser_;
  std::string normalised_;
  std::vector<Token> tokens_;
  std::unordered_set<std::uint64_t, SeededHash> known_texts_;
  std::unordered_map<std::uint64_t, CountedWord, SeededHash> page_words_;  // by H64
  std::uint64_t page_hash_limit_ = 0;                                      // words that mix to more are left out
  std::unordered_map<std::uint64_t, std::uint32_t, SeededHash> ids_;       // of words of the documents, by H64
  std::vector<SampleWord> words_;                                          // by id
  std::vector<std::uint32_t> free_ids_;
  std::vector<Document> documents_;             // a heap, largest hash first
  std::optional<std::uint64_t> least_dropped_;  // the smallest text hash of the documents that were left out
  std::uint64_t pages_ = 0;
  std::uint64_t pages_repeated_ = 0;
};

}  // namespace paraprint::inline semantics::inline topics
