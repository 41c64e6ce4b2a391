// Three words in a row that an item has too are a seed. Where enough seeds of one item stand close together, the words
// between them are compared one by one.
#include "contamination/item_search.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/hash.h"
#include "memory/seeded_hash.h"

namespace paraprint::inline contamination {
namespace {

// The weight of a seed from which it is looked for: "of the and" stands everywhere. Of an item that has fewer such
// seeds than one in kLightSeeds, all are.
constexpr float kSeedWeightMinimum = 3;
constexpr std::size_t kLightSeeds = 4;

// Bits of the filter per seed. One of sixteen lookups of other words is then for nothing.
constexpr std::size_t kFilterBitsPerSeed = 16;

// How much longer than the item its place in a text may be: what was put in between is not part of it.
constexpr std::uint32_t kWindowSlackWords = 8;

// The weight that the words of seeds must have before words are compared one by one, and the share of an item that is
// enough of a light one. A third of the words exchanged leaves three of ten seeds.
constexpr double kSeedsWeightMinimum = 5;
constexpr double kSeedsShareMinimum = 0.6;

// Words next to a seed, or between two, that are compared with each other; what a longer gap between two seeds has in
// common does not matter.
constexpr std::uint32_t kGapWordsMaximum = 64;

// About the weight of a common word: a word in three may be another one before the score of a passage falls.
constexpr double kGapPenalty = 0.5;

// The longer an item is, the more of its passages occur elsewhere by accident, such as lines of source code: beyond
// this length, a part of it needs so much more score each time that the length doubles.
constexpr double kUsualItemWords = 40;
constexpr double kScorePerDoubling = 3;

// Words without a match within a passage that is shown as one.
constexpr std::uint32_t kShownGapWords = 2;

constexpr std::uint32_t kNone = 0xFFFFFFFF;

std::uint64_t seed_of(const SpannedWord* words) {
  return mix64(mix64(mix64(words[0].hash) + words[1].hash) + words[2].hash);
}

float seed_weight(const SpannedWord* words) {
  return words[0].weight + words[1].weight + words[2].weight;
}

std::uint32_t window_words(std::size_t item_words) {
  return static_cast<std::uint32_t>(item_words + item_words / 2) + kWindowSlackWords;
}

}  // namespace

// Between two doublings it grows linearly.
double required_passage(const ItemRules& rules, std::size_t item_words) {
  double doublings = 0;
  for (double ratio = static_cast<double>(item_words) / kUsualItemWords; ratio > 1; ratio /= 2) {
    doublings += std::min(1.0, ratio - 1);
  }
  return rules.passage_score + kScorePerDoubling * doublings;
}

float best_passage(std::span<const MatchedWord> words, std::span<const float> weights) {
  double best = 0;
  double score = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) {
      const auto distance = [](std::uint32_t from, std::uint32_t to) {
        return std::abs(static_cast<double>(to) - static_cast<double>(from) - 1);
      };
      const double gap =
          distance(words[i - 1].text_word, words[i].text_word) + distance(words[i - 1].item_word, words[i].item_word);
      score = std::max(0.0, score - kGapPenalty * gap);
    }
    score += static_cast<double>(weights[i]);
    best = std::max(best, score);
  }
  return static_cast<float>(best);
}

std::optional<std::uint32_t> ItemCollection::add(std::span<const SpannedWord> words) {
  double weight = 0;
  for (const SpannedWord& word : words) weight += static_cast<double>(word.weight);
  if (words.size() < kSeedWords || weight < rules_.item_weight_minimum) return std::nullopt;
  const std::uint32_t item = size();
  begins_.push_back(words_.size());
  words_.insert(words_.end(), words.begin(), words.end());
  weights_.push_back(weight);
  add_seeds(item);
  return item;
}

std::span<const SpannedWord> ItemCollection::words(std::uint32_t item) const {
  const std::size_t end = item + 1 < begins_.size() ? begins_[item + 1] : words_.size();
  return std::span(words_).subspan(begins_[item], end - begins_[item]);
}

void ItemCollection::add_seeds(std::uint32_t item) {
  const std::span<const SpannedWord> words = this->words(item);
  const auto seeds = static_cast<std::uint32_t>(words.size() - kSeedWords + 1);
  const std::size_t before = places_.size();
  for (std::uint32_t word = 0; word < seeds; ++word) {
    if (seed_weight(&words[word]) >= kSeedWeightMinimum) places_.push_back({seed_of(&words[word]), item, word});
  }
  if ((places_.size() - before) * kLightSeeds >= seeds) return;
  places_.resize(before);
  for (std::uint32_t word = 0; word < seeds; ++word) places_.push_back({seed_of(&words[word]), item, word});
}

void ItemCollection::prepare() {
  std::sort(places_.begin(), places_.end());
  std::size_t seeds = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) seeds += i == 0 || places_[i].seed != places_[i - 1].seed ? 1 : 0;
  first_seeds_.assign(size(), kNone);
  slots_.assign(std::bit_ceil(seeds * 2 + 1), SeedSlot());
  filter_.assign(std::bit_ceil(seeds * kFilterBitsPerSeed / 64 + 1), 0);
  for (std::size_t begin = 0; begin < places_.size();) {
    std::size_t end = begin + 1;
    while (end < places_.size() && places_[end].seed == places_[begin].seed) ++end;
    const std::uint64_t seed = places_[begin].seed;
    if (end - begin > kPlacesMaximum) {
      ++common_seeds_;
      begin = end;
      continue;
    }
    const std::uint64_t mixed = seeded_mix64(seed, process_hash_seed());
    std::size_t slot = mixed & (slots_.size() - 1);
    while (slots_[slot].end != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = {seed, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    filter_[(mixed >> 38) & (filter_.size() - 1)] |= std::uint64_t{1} << (mixed >> 32 & 63);
    for (; begin < end; ++begin) {
      std::uint32_t& first = first_seeds_[places_[begin].item];
      first = std::min(first, places_[begin].word);
    }
  }
}

std::span<const ItemCollection::SeedPlace> ItemCollection::places_of(std::uint64_t seed) const {
  const std::uint64_t mixed = seeded_mix64(seed, process_hash_seed());
  if ((filter_[(mixed >> 38) & (filter_.size() - 1)] >> (mixed >> 32 & 63) & 1) == 0) return {};
  for (std::size_t slot = mixed & (slots_.size() - 1); slots_[slot].end != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const SeedSlot& found = slots_[slot];
    if (found.seed == seed) return std::span(places_).subspan(found.begin, found.end - found.begin);
  }
  return {};
}

void ItemSearch::find(std::span<const SpannedWord> text, std::vector<FoundItem>& found, StopCheck& stop) {
  found.clear();
  seeds_.clear();
  begin_seeds();
  for (std::size_t begin = 0; begin + ItemCollection::kSeedWords <= text.size();) {
    const std::size_t end = std::min(text.size(), begin + kBlockWords);
    find_in_block(text, begin, end, found, stop);
    if (end == text.size() || stop.is_stopped()) break;
    begin = end - kOverlapWords;
  }
  // Blocks are searched in the order of the text, so that of equal finds the first one stays.
  std::stable_sort(found.begin(), found.end(), [](const FoundItem& x, const FoundItem& y) {
    if (x.item != y.item) return x.item < y.item;
    return x.verdict != y.verdict ? x.verdict < y.verdict : x.share > y.share;
  });
  found.erase(
      std::unique(found.begin(), found.end(), [](const FoundItem& x, const FoundItem& y) { return x.item == y.item; }),
      found.end());
  std::sort(seeds_.begin(), seeds_.end());
  auto at = found.begin();
  std::erase_if(seeds_, [&](const ItemSeed& seed) {
    while (at != found.end() && at->item < seed.item) ++at;
    return at != found.end() && at->item == seed.item && at->verdict != ItemVerdict::kPart;
  });
}

// A long text has the same seeds again and again.
void ItemSearch::begin_seeds() {
  if (texts_ == std::numeric_limits<std::uint32_t>::max()) seen_in_.clear();
  texts_ = seen_in_.empty() ? 1 : texts_ + 1;
  seen_in_.resize(items_.places_.size(), 0);
}

void ItemSearch::find_in_block(std::span<const SpannedWord> text, std::size_t begin, std::size_t end,
                               std::vector<FoundItem>& found, StopCheck& stop) {
  hits_.clear();
  for (std::size_t word = begin; word + ItemCollection::kSeedWords <= end; ++word) {
    for (const ItemCollection::SeedPlace& place : items_.places_of(seed_of(&text[word]))) {
      hits_.push_back({place.item, static_cast<std::uint32_t>(word), place.word});
      std::uint32_t& seen_in = seen_in_[static_cast<std::size_t>(&place - items_.places_.data())];
      if (std::exchange(seen_in, texts_) != texts_) seeds_.push_back({place.item, place.word});
    }
    if (stop.after(StopCheck::kUnitsPerNode)) return;
  }
  // Of one item, by their places in the text; of one place, the last word of the item first, as chain() needs it.
  std::sort(hits_.begin(), hits_.end(), [](const Hit& x, const Hit& y) {
    if (x.item != y.item) return x.item < y.item;
    return x.text_word != y.text_word ? x.text_word < y.text_word : x.item_word > y.item_word;
  });
  const std::span<const Hit> hits(hits_);
  for (std::size_t first = 0; first < hits.size();) {
    std::size_t last = first + 1;
    while (last < hits.size() && hits[last].item == hits[first].item) ++last;
    const std::span<const Hit> of_item = hits.subspan(first, last - first);
    if (!find_exact(text, of_item, found)) {
      const std::span<const Hit> window = best_window(of_item);
      if (!window.empty()) match(text.first(end), window, found);
    }
    if (stop.after((last - first) * StopCheck::kUnitsPerNode)) return;
    first = last;
  }
}

// Whether the text has all words of the item in a row at one of the hits of its first seed. Other hits need no look:
// where the item stands, its first seed does. Places may reach beyond the block. A seed has few places in items, so
// that a repeated beginning is not compared more often than that.
bool ItemSearch::find_exact(std::span<const SpannedWord> text, std::span<const Hit> hits,
                            std::vector<FoundItem>& found) const {
  const std::uint32_t number = hits.front().item;
  const std::span<const SpannedWord> item = items_.words(number);
  const std::uint32_t first_seed = items_.first_seeds_[number];
  for (const Hit& hit : hits) {
    if (hit.item_word != first_seed || hit.text_word < first_seed) continue;
    const std::uint32_t begin = hit.text_word - first_seed;
    if (text.size() - begin < item.size()) continue;
    if (!std::equal(item.begin(), item.end(), text.begin() + begin,
                    [](const SpannedWord& x, const SpannedWord& y) { return x.hash == y.hash; })) {
      continue;
    }
    const auto words = static_cast<std::uint32_t>(item.size());
    found.push_back({number,
                     ItemVerdict::kExact,
                     1,
                     words,
                     static_cast<float>(items_.weight(number)),
                     {{begin, begin + words}},
                     {{0, words}},
                     {}});
    return true;
  }
  return false;
}

// The hits of one item in a stretch of text of its length and a half with the most different seeds; of several, the
// first one. Empty if their words cannot be enough of the item. The cost does not depend on the length of the item: a
// book among the items has a seed in common with most documents.
std::span<const ItemSearch::Hit> ItemSearch::best_window(std::span<const Hit> hits) {
  const std::span<const SpannedWord> item = items_.words(hits.front().item);
  if (counts_.size() < item.size()) counts_.resize(item.size(), 0);
  const std::uint32_t longest = window_words(item.size());
  std::uint32_t different = 0;
  std::uint32_t most = 0;
  std::span<const Hit> best;
  std::size_t first = 0;
  for (std::size_t last = 0; last < hits.size(); ++last) {
    different += counts_[hits[last].item_word]++ == 0 ? 1 : 0;
    while (hits[last].text_word - hits[first].text_word > longest) {
      different -= --counts_[hits[first].item_word] == 0 ? 1 : 0;
      ++first;
    }
    if (different > most) {
      most = different;
      best = hits.subspan(first, last + 1 - first);
    }
  }
  for (const Hit& hit : hits) counts_[hit.item_word] = 0;
  double weight = 0;
  for (const Hit& hit : best) {
    for (std::uint32_t word = hit.item_word; word < hit.item_word + ItemCollection::kSeedWords; ++word) {
      if (counts_[word]++ == 0) weight += static_cast<double>(item[word].weight);
    }
  }
  for (const Hit& hit : best) {
    std::fill_n(counts_.begin() + hit.item_word, ItemCollection::kSeedWords, 0);
  }
  const double required = std::min(kSeedsWeightMinimum, kSeedsShareMinimum * items_.weight(hits.front().item));
  return weight >= required ? best : std::span<const Hit>();
}

// The longest sequence of hits that ascends in both texts, by patience sorting.
void ItemSearch::chain(std::span<const Hit> hits) {
  tails_.clear();
  previous_.assign(hits.size(), 0);
  for (std::uint32_t i = 0; i < hits.size(); ++i) {
    const auto place =
        std::lower_bound(tails_.begin(), tails_.end(), hits[i].item_word,
                         [&](std::uint32_t tail, std::uint32_t word) { return hits[tail].item_word < word; });
    previous_[i] = place == tails_.begin() ? kNone : *std::prev(place);
    if (place == tails_.end()) {
      tails_.push_back(i);
    } else {
      *place = i;
    }
  }
  chain_.clear();
  for (std::uint32_t at = tails_.back(); at != kNone; at = previous_[at]) chain_.push_back(hits[at]);
  std::reverse(chain_.begin(), chain_.end());
}

// Adds the pairs of a longest common subsequence of the words of two gaps.
void ItemSearch::fill_gap(std::span<const SpannedWord> text, std::span<const SpannedWord> item, WordRange text_gap,
                          WordRange item_gap) {
  const std::uint32_t rows = text_gap.end - text_gap.begin;
  const std::uint32_t columns = item_gap.end - item_gap.begin;
  if (rows == 0 || columns == 0 || rows > kGapWordsMaximum || columns > kGapWordsMaximum) return;
  const std::size_t width = columns + 1;
  lengths_.assign((rows + 1) * width, 0);
  const auto is_equal = [&](std::uint32_t row, std::uint32_t column) {
    return text[text_gap.begin + row].hash == item[item_gap.begin + column].hash;
  };
  for (std::uint32_t row = rows; row-- > 0;) {
    for (std::uint32_t column = columns; column-- > 0;) {
      std::uint16_t& length = lengths_[row * width + column];
      length = is_equal(row, column)
                   ? static_cast<std::uint16_t>(lengths_[(row + 1) * width + column + 1] + 1)
                   : std::max(lengths_[(row + 1) * width + column], lengths_[row * width + column + 1]);
    }
  }
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  while (row < rows && column < columns) {
    if (is_equal(row, column)) {
      pairs_.push_back({text_gap.begin + row++, item_gap.begin + column++, 0});
    } else if (lengths_[(row + 1) * width + column] >= lengths_[row * width + column + 1]) {
      ++row;
    } else {
      ++column;
    }
  }
}

namespace {

// Ranges of ascending words, which may repeat; those with few words between them joined.
std::vector<WordRange> ranges_of(std::span<const std::uint32_t> words) {
  std::vector<WordRange> ranges;
  for (const std::uint32_t word : words) {
    if (!ranges.empty() && word <= ranges.back().end + kShownGapWords) {
      ranges.back().end = std::max(ranges.back().end, word + 1);
    } else {
      ranges.push_back({word, word + 1});
    }
  }
  return ranges;
}

}  // namespace

// Sorts equal words by their places, and leaves each once.
void ItemSearch::merge_pairs() {
  std::sort(pairs_.begin(), pairs_.end(), [](const MatchedWord& x, const MatchedWord& y) {
    return x.text_word != y.text_word ? x.text_word < y.text_word : x.item_word < y.item_word;
  });
  std::size_t merged = 0;
  for (const MatchedWord& pair : pairs_) {
    if (merged > 0 && pairs_[merged - 1].text_word == pair.text_word &&
        pairs_[merged - 1].item_word == pair.item_word) {
      pairs_[merged - 1].seeds |= pair.seeds;
    } else {
      pairs_[merged++] = pair;
    }
  }
  pairs_.resize(merged);
}

// Seeds count wherever they stand in the window, so that choices in another order are found; the words between them
// count where they are in order.
void ItemSearch::match(std::span<const SpannedWord> text, std::span<const Hit> hits, std::vector<FoundItem>& found) {
  const std::uint32_t number = hits.front().item;
  const std::span<const SpannedWord> item = items_.words(number);
  const auto item_words = static_cast<std::uint32_t>(item.size());
  const std::uint32_t before = hits.front().item_word + kWindowSlackWords;
  const std::uint32_t text_begin = hits.front().text_word - std::min(hits.front().text_word, before);
  const std::uint32_t last = hits.back().text_word;
  const auto text_end = static_cast<std::uint32_t>(
      std::min<std::size_t>(text.size(), std::size_t{last} + (item_words - hits.back().item_word) + kWindowSlackWords));
  pairs_.clear();
  for (const Hit& hit : hits) {
    for (std::uint32_t i = 0; i < ItemCollection::kSeedWords; ++i) {
      pairs_.push_back({hit.text_word + i, hit.item_word + i, 1U << i});
    }
  }
  chain(hits);
  // Of the gaps at the ends, the words next to the seeds.
  const auto nearest_before = [](std::uint32_t begin, std::uint32_t end) {
    return std::max(begin, end - std::min(end, kGapWordsMaximum));
  };
  const auto nearest_after = [](std::uint32_t begin, std::uint32_t end) {
    return std::min(end, begin + kGapWordsMaximum);
  };
  const Hit& first = chain_.front();
  fill_gap(text, item, {nearest_before(text_begin, first.text_word), first.text_word},
           {nearest_before(0, first.item_word), first.item_word});
  for (std::size_t i = 1; i < chain_.size(); ++i) {
    const std::uint32_t text_word = chain_[i - 1].text_word + ItemCollection::kSeedWords;
    const std::uint32_t item_word = chain_[i - 1].item_word + ItemCollection::kSeedWords;
    fill_gap(text, item, {text_word, std::max(text_word, chain_[i].text_word)},
             {item_word, std::max(item_word, chain_[i].item_word)});
  }
  const std::uint32_t text_word = chain_.back().text_word + ItemCollection::kSeedWords;
  const std::uint32_t item_word = chain_.back().item_word + ItemCollection::kSeedWords;
  fill_gap(text, item, {text_word, nearest_after(text_word, text_end)},
           {item_word, nearest_after(item_word, item_words)});

  merge_pairs();
  FoundItem result;
  result.item = number;
  found_words_.clear();
  for (const MatchedWord& pair : pairs_) found_words_.push_back(pair.text_word);
  result.in_text = ranges_of(found_words_);
  found_words_.clear();
  for (const MatchedWord& pair : pairs_) found_words_.push_back(pair.item_word);
  std::sort(found_words_.begin(), found_words_.end());
  found_words_.erase(std::unique(found_words_.begin(), found_words_.end()), found_words_.end());
  result.in_item = ranges_of(found_words_);
  result.words = static_cast<std::uint32_t>(found_words_.size());
  double weight = 0;
  for (const std::uint32_t word : found_words_) weight += static_cast<double>(item[word].weight);
  const ItemRules& rules = items_.rules();
  const double share = weight / items_.weight(number);
  result.share = static_cast<float>(share);
  pair_weights_.clear();
  for (const MatchedWord& pair : pairs_) pair_weights_.push_back(item[pair.item_word].weight);
  result.passage_score = best_passage(pairs_, pair_weights_);
  const double passage = static_cast<double>(result.passage_score);
  if (share >= rules.whole_share && passage >= rules.passage_score * kWholePassageShare) {
    result.verdict = ItemVerdict::kWhole;
  } else if (passage >= required_passage(rules, item_words)) {
    result.verdict = ItemVerdict::kPart;
    result.words_of_part = pairs_;
  } else {
    return;
  }
  found.push_back(std::move(result));
}

}  // namespace paraprint::inline contamination
