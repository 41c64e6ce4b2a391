// An immutable hash table. Keys are full 64-bit hashes without the words, because a lookup is made for every word of
// every page and most words have no entry.
#include "text/synonym_table.h"

#include <algorithm>

#include "base/hash.h"
#include "text/word_segmenter.h"
#include "text/word_weights.h"

namespace paraprint::inline text {
namespace {

float bundled_idf(const std::string& word) {
  const Token token{0, static_cast<std::uint32_t>(word.size()), WordSegmenter::shared().find_word(word)};
  return WordWeights::bundled().idf(token, word);
}

// The most frequent word, so that a page's other words are compared with what most pages use.
const std::string& representative_of(const std::vector<std::string>& words) {
  return *std::min_element(words.begin(), words.end(), [](const std::string& a, const std::string& b) {
    const float idf_a = bundled_idf(a);
    const float idf_b = bundled_idf(b);
    return idf_a != idf_b ? idf_a < idf_b : a < b;
  });
}

}  // namespace

// words_ holds only representatives and neighbours: words that are looked up need not be stored.
SynonymTable::SynonymTable(const SynonymContent& content) {
  std::size_t entries = content.soft.size();
  for (const std::vector<std::string>& words : content.classes) entries += words.size();
  // At most half full: unsuccessful lookups, the usual case, stay short.
  std::size_t slots = 2;
  while (slots < 2 * entries + 1) slots *= 2;
  mask_ = slots - 1;
  keys_.resize(slots);
  entries_.resize(slots);
  for (const std::vector<std::string>& words : content.classes) {
    const std::string& representative = representative_of(words);
    words_.push_back(representative);
    for (const std::string& word : words) {
      if (word != representative) entry_of(word).representative = static_cast<std::uint32_t>(words_.size() - 1);
    }
  }
  for (const SynonymContent::Soft& soft : content.soft) {
    Entry& entry = entry_of(soft.word);
    entry.neighbours_begin = static_cast<std::uint32_t>(neighbours_.size());
    for (const SynonymContent::SimilarWord& neighbour : soft.neighbours) {
      neighbours_.push_back({static_cast<std::uint32_t>(words_.size()), neighbour.weight});
      words_.push_back(neighbour.word);
    }
    entry.neighbours_end = static_cast<std::uint32_t>(neighbours_.size());
  }
}

// Finds or creates an entry; a word can have a representative as well as neighbours.
SynonymTable::Entry& SynonymTable::entry_of(std::string_view word) {
  const std::uint64_t key = key_of(hash64(word));
  std::size_t slot = first_slot(key);
  while (keys_[slot] != 0 && keys_[slot] != key) slot = (slot + 1) & mask_;
  if (keys_[slot] == 0) ++size_;
  keys_[slot] = key;
  return entries_[slot];
}

}  // namespace paraprint::inline text
