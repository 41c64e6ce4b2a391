// Word counts of a sample of pages. Ids of words are given in the order in which pages arrive, so nothing that is kept
// may depend on them: finish() renumbers words by their bytes and orders documents by the hash of their text.
#include "semantics/topics/topic_corpus.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/hash.h"
#include "semantics/topics/topic_model.h"
#include "text/word_weights.h"

namespace paraprint::inline semantics::inline topics {
namespace {

constexpr std::uint32_t kNoId = 0xFFFFFFFF;
// Bounds memory on text with endless new words, such as serial numbers. Later words are ignored. This is four times the
// largest number of words that a model may have.
constexpr std::size_t kWordsTold = std::size_t{1} << 22;

// Whether a word may characterise a subject. Single bytes are letters of alphabets; Han characters have three bytes.
bool is_content_word(const WordWeight& weight, std::string_view word) {
  const bool is_number = word.front() >= '0' && word.front() <= '9';
  return !weight.is_stop_word && !is_number && word.size() > 1 && word.size() <= kTopicWordBytesMaximum;
}

}  // namespace

// Bottom-k sample: the heap keeps the documents with the smallest text hashes, whatever the order of pages. Its largest
// is on top, so a page that cannot enter is rejected before its words are segmented.
void TopicCorpusBuilder::add(const MainContent& content) {
  const std::uint64_t text_hash = hash64(content.text);
  if (!known_texts_.insert(text_hash).second) {
    ++pages_repeated_;
    return;
  }
  ++pages_;
  const bool is_full = documents_.size() >= limits_.pages_maximum;
  if (is_full && !(text_hash < documents_.front().text_hash)) return;
  count_words(content);
  if (is_full) {
    std::pop_heap(documents_.begin(), documents_.end());
    documents_.pop_back();
  }
  Document& document = documents_.emplace_back();
  document.text_hash = text_hash;
  document.words.reserve(counts_.size());
  for (const auto& [word, count] : counts_) document.words.push_back(word);
  for (const std::uint32_t word : document.words) {
    document.counts.push_back(
        static_cast<std::uint16_t>(std::min<std::uint32_t>(counts_[word], std::numeric_limits<std::uint16_t>::max())));
  }
  std::push_heap(documents_.begin(), documents_.end());
}

// Block by block, so that no word is formed across the border of two blocks.
void TopicCorpusBuilder::count_words(const MainContent& content) {
  counts_.clear();
  for (const TextBlock& block : content.blocks) {
    normalised_.clear();
    normaliser_.append_normalised(
        std::string_view(content.text).substr(block.span.begin_bytes, block.span.size_bytes()), normalised_);
    WordSegmenter::shared().segment(normalised_, tokens_);
    for (const Token& token : tokens_) {
      const std::uint32_t id = id_of(token);
      if (id != kNoId) ++counts_[id];
    }
  }
}

// kNoId for words that are left out. Words are identified by their 64-bit hash, as in the model.
std::uint32_t TopicCorpusBuilder::id_of(const Token& token) {
  const std::string_view word = token.word(normalised_);
  const WordWeight weight = WordWeights::bundled().weigh(token, word);
  if (!is_content_word(weight, word)) return kNoId;
  const auto known = ids_.find(weight.hash.high);
  if (known != ids_.end()) return known->second;
  if (words_.size() >= kWordsTold) return kNoId;
  const auto id = static_cast<std::uint32_t>(words_.size());
  ids_.emplace(weight.hash.high, id);
  words_.emplace_back(word);
  return id;
}

// The ids of the kept words, sorted by the bytes of the words. Fills `documents` with the document count of each id.
// Ties in the count are broken by bytes, never by id.
std::vector<std::uint32_t> TopicCorpusBuilder::chosen_words(std::vector<std::uint32_t>& documents) const {
  documents.assign(words_.size(), 0);
  for (const Document& document : documents_) {
    for (const std::uint32_t word : document.words) ++documents[word];
  }
  // The limit is a share of the sampled documents, which is all that the counts know.
  const double most = limits_.document_share_maximum * static_cast<double>(documents_.size());
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t word = 0; word < words_.size(); ++word) {
    if (documents[word] >= limits_.documents_minimum && documents[word] <= most) chosen.push_back(word);
  }
  std::sort(chosen.begin(), chosen.end(), [&](std::uint32_t x, std::uint32_t y) {
    return documents[x] != documents[y] ? documents[x] > documents[y] : words_[x] < words_[y];
  });
  chosen.resize(std::min(chosen.size(), limits_.words_maximum));
  std::sort(chosen.begin(), chosen.end(), [&](std::uint32_t x, std::uint32_t y) { return words_[x] < words_[y]; });
  return chosen;
}

// Entries of a document are sorted by word: training relies on it to find a range of words by binary search.
TopicCorpus TopicCorpusBuilder::finish() {
  TopicCorpus corpus;
  std::vector<std::uint32_t> documents_of_word;
  const std::vector<std::uint32_t> chosen = chosen_words(documents_of_word);
  std::vector<std::uint32_t> row_of_id(words_.size(), kNoId);
  for (const std::uint32_t id : chosen) {
    row_of_id[id] = static_cast<std::uint32_t>(corpus.words.size());
    corpus.words.push_back(std::move(words_[id]));
    corpus.documents.push_back(documents_of_word[id]);
  }
  std::sort(documents_.begin(), documents_.end());
  std::vector<std::pair<std::uint32_t, std::uint16_t>> entries;
  for (const Document& document : documents_) {
    entries.clear();
    for (std::size_t i = 0; i < document.words.size(); ++i) {
      const std::uint32_t row = row_of_id[document.words[i]];
      if (row != kNoId) entries.emplace_back(row, document.counts[i]);
    }
    if (entries.empty()) continue;
    std::sort(entries.begin(), entries.end());
    for (const auto& [row, count] : entries) {
      corpus.word_of_entry.push_back(row);
      corpus.count_of_entry.push_back(count);
      corpus.running_words += count;
    }
    corpus.ends.push_back(corpus.word_of_entry.size());
  }
  documents_.clear();
  return corpus;
}

}  // namespace paraprint::inline semantics::inline topics
