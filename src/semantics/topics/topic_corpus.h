// Pages to what topics are learnt from: for each page, which words it has how often.
//
// Left out are words that say nothing of a subject (stop words, numbers, what most pages hold) and words of too few
// pages. What comes out depends on the set of pages alone, not on their order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "paraprint/model.h"
#include "text/normalise.h"
#include "text/word_segmenter.h"

namespace paraprint {

// Documents as counts of words; document d has the entries from ends[d - 1] (0 for the first) to ends[d].
struct TopicCorpus {
  std::vector<std::string> words;        // by their bytes, rising
  std::vector<std::uint32_t> documents;  // per word: that hold it
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> word_of_entry;
  std::vector<std::uint16_t> count_of_entry;
  std::uint64_t running_words = 0;
  std::size_t size() const { return ends.size(); }
};

struct TopicCorpusLimits {
  std::size_t pages_maximum = 0;        // of more, those are kept whose text has the smallest hash: a fixed sample
  std::size_t words_maximum = 0;        // those of most documents
  std::uint32_t documents_minimum = 1;  // of a word
  double document_share_maximum = 1;    // of the documents that may hold a word
};

// Call order: add*, finish. Memory: some 6 bytes for each distinct word of a page, and the words themselves.
class TopicCorpusBuilder {
 public:
  explicit TopicCorpusBuilder(const TopicCorpusLimits& limits) : limits_(limits) {}

  void add(const MainContent& content);

  std::uint64_t pages() const { return pages_; }                    // all but the repeated ones
  std::uint64_t pages_repeated() const { return pages_repeated_; }  // of a text that was there before

  // Documents in order of the hash of their text; those without a word that is left are not among them.
  TopicCorpus finish();

 private:
  struct Document {
    std::uint64_t text_hash = 0;
    std::vector<std::uint32_t> words;
    std::vector<std::uint16_t> counts;
    friend bool operator<(const Document& x, const Document& y) { return x.text_hash < y.text_hash; }
  };

  void count_words(const MainContent& content);
  std::uint32_t id_of(const Token& token);
  std::vector<std::uint32_t> chosen_words(std::vector<std::uint32_t>& documents) const;

  TopicCorpusLimits limits_;
  Normaliser normaliser_;
  std::string normalised_;
  std::vector<Token> tokens_;
  std::unordered_set<std::uint64_t> known_texts_;
  std::unordered_map<std::uint64_t, std::uint32_t> ids_;     // by H64 of the word
  std::vector<std::string> words_;                           // by id
  std::unordered_map<std::uint32_t, std::uint32_t> counts_;  // of one page
  std::vector<Document> documents_;                          // a heap, largest hash first
  std::uint64_t pages_ = 0;
  std::uint64_t pages_repeated_ = 0;
};

}  // namespace paraprint
