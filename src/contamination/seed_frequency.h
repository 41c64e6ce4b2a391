// How many documents have each seed of an item without having the item, and which parts of items are therefore none
// (docs/algorithms/contamination.md).
//
//   SeedFrequency frequency(items);
//   for (each document) frequency.add(search.seeds());
//   for (each part that was found) if (!frequency.is_common(item, words_of_part)) ...
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "contamination/item_search.h"

namespace paraprint::inline contamination {

// Memory: 4 bytes per word of the items; none if their rules set no limit. `items` must outlive it.
class SeedFrequency {
 public:
  explicit SeedFrequency(const ItemCollection& items);

  // Counts what one document has. Threads: any number.
  void add(std::span<const ItemSeed> seeds);

  // Whether a part is of a passage that many documents have: with the words that only such seeds have in common counted
  // as nothing, its best passage scores too little. Call it after all documents were added, from one thread at a time.
  bool is_common(std::uint32_t item, std::span<const MatchedWord> words_of_part);

 private:
  bool is_rare(std::size_t word_of_items) const;

  const ItemCollection& items_;
  std::vector<std::atomic<std::uint32_t>> documents_;  // by word of the items that a seed begins with
  std::vector<float> weights_;
};

}  // namespace paraprint::inline contamination
