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

// Whether a word may characterise a subject. Single bytes are letters of alphabets; Han characters have three bytes.
bool is_content_word(const WordWeight& weight, std::string_view word) {
  const bool is_number = word.front() >= '0' && word.front() <= '9';
  return !weight.is_stop_word && !is_number && word.size() > 1 && word.size() <= kTopicWordBytesMaximum;
}

}  // namespace

// A sample of the documents with the smallest text hashes, as many as the limits allow: whether the documents up to
// some hash are within the limits does not depend on the order of pages, and of too many the largest is never in the
// sample. It is on top of the heap, so a page that cannot enter is rejected before its words are segmented.
void TopicCorpusBuilder::add(const MainContent& content) {
  const std::uint64_t text_hash = hash64(content.text);
  if (!known_texts_.insert(text_hash).second) {
    ++pages_repeated_;
    return;
  }
  ++pages_;
  const bool is_full = documents_.size() >= limits_.pages_maximum;
  if (is_full && !(text_hash < documents_.front().text_hash)) return;
  if (least_dropped_ && text_hash > *least_dropped_) return;
  count_words(content);
  add_document(text_hash);
  while (documents_.size() > limits_.pages_maximum || ids_.size() > limits_.sample_words_maximum) drop_last_document();
}

// Block by block, so that no word is formed across the border of two blocks.
void TopicCorpusBuilder::count_words(const MainContent& content) {
  page_words_.clear();
  page_hash_limit_ = ~std::uint64_t{0};
  for (const TextBlock& block : content.blocks) {
    normalised_.clear();
    normaliser_.append_normalised(
        std::string_view(content.text).substr(block.span.begin_bytes, block.span.size_bytes()), normalised_);
    WordSegmenter::shared().segment(normalised_, tokens_);
    for (const Token& token : tokens_) count_word(token);
  }
}

// Words are identified by their 64-bit hash, as in the model. Which ones are left out depends on the words of the page
// alone, as in DocumentFrequencyCounter.
void TopicCorpusBuilder::count_word(const Token& token) {
  const std::string_view word = token.word(normalised_);
  const WordWeight weight = WordWeights::bundled().weigh(token, word);
  const std::uint64_t hash = weight.hash.high;
  if (!is_content_word(weight, word) || mix64(hash) > page_hash_limit_) return;
  CountedWord& counted = page_words_[hash];
  if (counted.count++ > 0) return;
  counted.word = word;
  while (page_words_.size() > limits_.page_words_maximum) {
    page_hash_limit_ /= 2;
    std::erase_if(page_words_, [this](const auto& entry) { return mix64(entry.first) > page_hash_limit_; });
  }
}

// Of the words in page_words_.
void TopicCorpusBuilder::add_document(std::uint64_t text_hash) {
  Document& document = documents_.emplace_back();
  document.text_hash = text_hash;
  document.words.reserve(page_words_.size());
  document.counts.reserve(page_words_.size());
  for (auto& [hash, counted] : page_words_) {
    const std::uint32_t id = id_of(hash, std::move(counted.word));
    ++words_[id].documents;
    document.words.push_back(id);
    document.counts.push_back(
        static_cast<std::uint16_t>(std::min<std::uint32_t>(counted.count, std::numeric_limits<std::uint16_t>::max())));
  }
  std::push_heap(documents_.begin(), documents_.end());
}

// The one with the largest hash, and the words that only it contains.
void TopicCorpusBuilder::drop_last_document() {
  std::pop_heap(documents_.begin(), documents_.end());
  for (const std::uint32_t id : documents_.back().words) {
    if (--words_[id].documents > 0) continue;
    ids_.erase(words_[id].hash);
    words_[id] = {};
    free_ids_.push_back(id);
  }
  least_dropped_ = documents_.back().text_hash;
  documents_.pop_back();
}

std::uint32_t TopicCorpusBuilder::id_of(std::uint64_t hash, std::string&& word) {
  const auto [known, is_new] = ids_.try_emplace(hash, kNoId);
  if (!is_new) return known->second;
  if (free_ids_.empty()) {
    free_ids_.push_back(static_cast<std::uint32_t>(words_.size()));
    words_.emplace_back();
  }
  known->second = free_ids_.back();
  free_ids_.pop_back();
  words_[known->second] = {hash, std::move(word), 0};
  return known->second;
}

// The ids of the kept words, sorted by the bytes of the words. Ties in the count are broken by bytes, never by id.
std::vector<std::uint32_t> TopicCorpusBuilder::chosen_words() const {
  // The limit is a share of the sampled documents, which is all that the counts know.
  const double most = limits_.document_share_maximum * static_cast<double>(documents_.size());
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t id = 0; id < words_.size(); ++id) {
    const std::uint32_t documents = words_[id].documents;
    if (documents >= limits_.documents_minimum && documents <= most) chosen.push_back(id);
  }
  std::sort(chosen.begin(), chosen.end(), [&](std::uint32_t x, std::uint32_t y) {
    const SampleWord& a = words_[x];
    const SampleWord& b = words_[y];
    return a.documents != b.documents ? a.documents > b.documents : a.word < b.word;
  });
  chosen.resize(std::min(chosen.size(), limits_.words_maximum));
  std::sort(chosen.begin(), chosen.end(),
            [&](std::uint32_t x, std::uint32_t y) { return words_[x].word < words_[y].word; });
  return chosen;
}

// Entries of a document are sorted by word: training relies on it to find a range of words by binary search.
TopicCorpus TopicCorpusBuilder::finish() {
  TopicCorpus corpus;
  const std::vector<std::uint32_t> chosen = chosen_words();
  std::vector<std::uint32_t> row_of_id(words_.size(), kNoId);
  for (const std::uint32_t id : chosen) {
    row_of_id[id] = static_cast<std::uint32_t>(corpus.words.size());
    corpus.words.push_back(std::move(words_[id].word));
    corpus.documents.push_back(words_[id].documents);
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
