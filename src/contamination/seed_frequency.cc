// A count ends one above the limit: more than that says nothing new.
#include "contamination/seed_frequency.h"

namespace paraprint::inline contamination {

SeedFrequency::SeedFrequency(const ItemCollection& items)
    : items_(items), documents_(items.rules().passage_documents > 0 ? items.words_total() : 0) {}

void SeedFrequency::add(std::span<const ItemSeed> seeds) {
  if (documents_.empty()) return;
  for (const ItemSeed& seed : seeds) {
    const std::size_t word = items_.words_before(seed.item) + seed.word;
    if (is_rare(word)) documents_[word].fetch_add(1, std::memory_order_relaxed);
  }
}

bool SeedFrequency::is_rare(std::size_t word_of_items) const {
  return documents_[word_of_items].load(std::memory_order_relaxed) <= items_.rules().passage_documents;
}

bool SeedFrequency::is_common(std::uint32_t item, std::span<const MatchedWord> words_of_part) {
  if (documents_.empty()) return false;
  const std::span<const SpannedWord> words = items_.words(item);
  const std::size_t before = items_.words_before(item);
  // Words between two seeds, or next to one, are evidence if one of these is.
  weights_.assign(words_of_part.size(), 0);
  std::size_t between = 0;  // the first word after the last seed
  bool counts_before = false;
  const auto count = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) weights_[i] = words[words_of_part[i].item_word].weight;
  };
  for (std::size_t i = 0; i < words_of_part.size(); ++i) {
    const MatchedWord& word = words_of_part[i];
    if (word.seeds == 0) continue;
    bool counts = false;
    for (std::uint32_t back = 0; back < ItemCollection::kSeedWords; ++back) {
      if ((word.seeds >> back & 1U) != 0 && is_rare(before + word.item_word - back)) counts = true;
    }
    if (counts || counts_before) count(between, i);
    if (counts) count(i, i + 1);
    counts_before = counts;
    between = i + 1;
  }
  if (counts_before) count(between, words_of_part.size());
  return static_cast<double>(best_passage(words_of_part, weights_)) < required_passage(items_.rules(), words.size());
}

}  // namespace paraprint::inline contamination
