// The lookup table of words to be treated as equal or similar, used by feature extraction
// (docs/algorithms/synonyms.md). Immutable and thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memory/seeded_hash.h"
#include "paraprint/model.h"

namespace paraprint::inline text {

// The input of a SynonymTable: classes of words that are replaced by one representative, and words to which weighted
// neighbours are added.
struct SynonymContent {
  std::vector<std::vector<std::string>> classes;  // no word in two of them
  struct SimilarWord {
    std::string word;
    float weight = 0;  // in (0, 1)
  };
  struct Soft {
    std::string word;
    std::vector<SimilarWord> neighbours;
  };
  std::vector<Soft> soft;
};

class SynonymTable {
 public:
  static constexpr std::uint32_t kNoWord = 0xFFFFFFFF;
  struct Neighbour {
    std::uint32_t word = 0;  // index into words()
    float weight = 0;
  };
  struct Entry {
    std::uint32_t representative = kNoWord;  // index into words(); kNoWord: the word itself
    std::uint32_t neighbours_begin = 0;
    std::uint32_t neighbours_end = 0;
  };

  // A class is represented by its most frequent word by document frequency in the bundled weights; ties go to the word
  // with the smaller bytes. Words must be normalised.
  explicit SynonymTable(const SynonymContent& content);

  // Finds an entry by the H64 of a word; null for most words.
  const Entry* find(std::uint64_t hash) const {
    const std::uint64_t key = key_of(hash);
    for (std::size_t slot = first_slot(key);; slot = (slot + 1) & mask_) {
      if (keys_[slot] == key) return &entries_[slot];
      if (keys_[slot] == 0) return nullptr;
    }
  }
  std::span<const Neighbour> neighbours(const Entry& entry) const {
    return std::span(neighbours_).subspan(entry.neighbours_begin, entry.neighbours_end - entry.neighbours_begin);
  }
  // All representatives and neighbours.
  const std::vector<std::string>& words() const { return words_; }
  std::size_t size() const { return size_; }

 private:
  Entry& entry_of(std::string_view word);
  // 0 marks an empty slot. Anyone can make a word whose hash is 0, which shares the entry of a word whose hash is 1.
  static std::uint64_t key_of(std::uint64_t hash) { return hash == 0 ? 1 : hash; }
  // Seeded: lists and models may come from someone who chose words that begin at one slot.
  std::size_t first_slot(std::uint64_t key) const { return seeded_mix64(key, seed_) & mask_; }

  HashSeed seed_ = process_hash_seed();
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> keys_;  // 0: empty; a power of two, at most half full
  std::vector<Entry> entries_;
  std::vector<Neighbour> neighbours_;
  std::vector<std::string> words_;
};

}  // namespace paraprint::inline text
