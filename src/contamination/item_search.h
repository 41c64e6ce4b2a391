// Items of benchmarks, and their search in texts: whole or in part, equal or with edits
// (docs/algorithms/contamination.md).
//
//   ItemCollection items(rules);
//   for (...) items.add(words);
//   items.prepare();
//   ItemSearch search(items);          // one per thread
//   search.find(words_of_a_document, found, stop);
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/stop.h"
#include "contamination/spanned_words.h"

namespace paraprint::inline contamination {

struct ItemRules {
  // Share of an item's weight that must be found to call it found as a whole.
  double whole_share = 0.8;
  // The score of a passage from which it is no accident (ItemSearch). Of an item that is found as a whole,
  // kWholePassageShare of it is enough. Of an item of more than 40 words, a part needs 3 more for each time that its
  // length doubles.
  double passage_score = 18;
  // Items of less weight, some three words with content, are not looked for.
  double item_weight_minimum = 6;
  // A passage that more documents than this have, none of them the whole item, is no evidence of a part
  // (SeedFrequency). 0: no limit.
  std::uint32_t passage_documents = 10;
};

inline constexpr double kWholePassageShare = 0.45;

enum class ItemVerdict : std::uint8_t { kExact, kWhole, kPart };

constexpr std::string_view item_verdict_name(ItemVerdict verdict) {
  switch (verdict) {
    case ItemVerdict::kExact:
      return "exact";
    case ItemVerdict::kWhole:
      return "whole";
    case ItemVerdict::kPart:
      return "part";
  }
  return {};
}

// Words from `begin` to before `end`.
struct WordRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const WordRange&, const WordRange&) = default;
};

// A word that an item and a text have in common.
struct MatchedWord {
  std::uint32_t text_word = 0;
  std::uint32_t item_word = 0;
  std::uint32_t seeds = 0;  // bit k: a seed that both have begins k words before it. 0: it is compared by itself
};

struct FoundItem {
  std::uint32_t item = 0;
  ItemVerdict verdict = ItemVerdict::kPart;
  float share = 0;                         // of the item's weight
  std::uint32_t words = 0;                 // of the item that were found
  float passage_score = 0;                 // of the best passage, see best_passage()
  std::vector<WordRange> in_text;          // where they stand, ascending and apart
  std::vector<WordRange> in_item;          // likewise
  std::vector<MatchedWord> words_of_part;  // of a part only: by their places in the text
};

// A seed of an item.
struct ItemSeed {
  std::uint32_t item = 0;
  std::uint32_t word = 0;  // its first one in the item
  friend auto operator<=>(const ItemSeed&, const ItemSeed&) = default;
};

// The weight of the words of a passage, less half a point for each word that one of the texts has in between and the
// other has not: of the passage for which this is most (as in local alignments: Smith, Waterman 1981). `words` are
// ascending by their places in the text; `weights` has one for each.
float best_passage(std::span<const MatchedWord> words, std::span<const float> weights);

// The score from which a passage of an item with so many words is a part of it.
double required_passage(const ItemRules& rules, std::size_t item_words);

// Memory: 24 bytes per word, and up to 84 per seed. Threads: any number that read, after prepare().
class ItemCollection {
 public:
  explicit ItemCollection(const ItemRules& rules) : rules_(rules) {}

  // Returns the number of the item, from 0, or nothing if it is too short to be looked for.
  std::optional<std::uint32_t> add(std::span<const SpannedWord> words);

  // Call once, after the last add().
  void prepare();

  const ItemRules& rules() const { return rules_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(begins_.size()); }
  std::span<const SpannedWord> words(std::uint32_t item) const;
  double weight(std::uint32_t item) const { return weights_[item]; }
  // Words of all items, and how many of them are before those of an item.
  std::size_t words_total() const { return words_.size(); }
  std::size_t words_before(std::uint32_t item) const { return begins_[item]; }
  // Seeds that more than kPlacesMaximum places of items have, like those of instructions that all items begin with.
  // They are not looked for.
  std::uint64_t common_seeds() const { return common_seeds_; }

  static constexpr std::uint32_t kSeedWords = 3;
  static constexpr std::uint32_t kPlacesMaximum = 32;

 private:
  friend class ItemSearch;

  struct SeedPlace {
    std::uint64_t seed = 0;
    std::uint32_t item = 0;
    std::uint32_t word = 0;
    friend auto operator<=>(const SeedPlace&, const SeedPlace&) = default;
  };
  // The places of a seed are a range of places_.
  struct SeedSlot {
    std::uint64_t seed = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;  // 0: an empty slot
  };

  void add_seeds(std::uint32_t item);
  std::span<const SeedPlace> places_of(std::uint64_t seed) const;

  ItemRules rules_;
  std::vector<SpannedWord> words_;
  std::vector<std::size_t> begins_;  // of each item in words_
  std::vector<double> weights_;
  std::vector<std::uint32_t> first_seeds_;  // by item: the first word of a seed that is looked for
  std::vector<SeedPlace> places_;
  std::vector<SeedSlot> slots_;        // open addressing; size a power of two
  std::vector<std::uint64_t> filter_;  // a bit for each seed: most words of a text begin none
  std::uint64_t common_seeds_ = 0;
};

// Keeps scratch memory, of 4 bytes per seed of the items: use one per thread. `items` must outlive it.
class ItemSearch {
 public:
  explicit ItemSearch(const ItemCollection& items) : items_(items) {}

  // Replaces `found` by the items in a text, ascending by number, each at its best place. Cost: O(words of the text),
  // and for each item that may be there, of the words around its seeds. Incomplete if `stop` is stopped.
  void find(std::span<const SpannedWord> text, std::vector<FoundItem>& found, StopCheck& stop);

  // The seeds that the last text has of items that it does not have exactly or as a whole, each once, ascending.
  std::span<const ItemSeed> seeds() const { return seeds_; }

  // Longer texts are searched in blocks, whose memory does not grow with them. A passage of more than the overlap may
  // be divided between two blocks, and is then found in part.
  static constexpr std::size_t kBlockWords = std::size_t{1} << 15;
  static constexpr std::size_t kOverlapWords = std::size_t{1} << 13;

 private:
  struct Hit {
    std::uint32_t item = 0;
    std::uint32_t text_word = 0;
    std::uint32_t item_word = 0;
  };

  void find_in_block(std::span<const SpannedWord> text, std::size_t begin, std::size_t end,
                     std::vector<FoundItem>& found, StopCheck& stop);
  bool find_exact(std::span<const SpannedWord> text, std::span<const Hit> hits, std::vector<FoundItem>& found) const;
  std::span<const Hit> best_window(std::span<const Hit> hits);
  void match(std::span<const SpannedWord> text, std::span<const Hit> hits, std::vector<FoundItem>& found);
  void chain(std::span<const Hit> hits);
  void fill_gap(std::span<const SpannedWord> text, std::span<const SpannedWord> item, WordRange text_gap,
                WordRange item_gap);
  void merge_pairs();
  void begin_seeds();

  const ItemCollection& items_;
  std::vector<Hit> hits_;
  std::vector<Hit> chain_;
  std::vector<std::uint32_t> tails_;
  std::vector<std::uint32_t> previous_;
  std::vector<std::uint32_t> counts_;  // by word of an item: hits in the window; 0 between calls
  std::vector<MatchedWord> pairs_;
  std::vector<float> pair_weights_;
  std::vector<ItemSeed> seeds_;
  std::vector<std::uint32_t> seen_in_;      // by place of a seed in items: the last text that has it
  std::uint32_t texts_ = 0;                 // number of this one, from 1
  std::vector<std::uint32_t> found_words_;  // of the text or the item
  std::vector<std::uint16_t> lengths_;      // of common subsequences
};

}  // namespace paraprint::inline contamination
