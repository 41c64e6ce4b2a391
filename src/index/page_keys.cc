// One definition of keys for batch joins and online lookups. Anything that changes here changes which pairs both
// propose, and the keys already stored in an index.
#include "index/page_keys.h"

#include <algorithm>
#include <limits>

#include "base/hamming_scan.h"
#include "base/similar_places.h"
#include "index/sketch_rule.h"

namespace paraprint::inline index {
namespace {

// Exact keys store 16-bit weights to keep sorter records at 16 bytes.
std::uint16_t saturate16(std::uint32_t value) {
  return static_cast<std::uint16_t>(std::min<std::uint32_t>(value, std::numeric_limits<std::uint16_t>::max()));
}

// Keeps the last of each run of equal keys, which has the largest weight.
template <class Key, class IsSame>
void keep_last_of_equal(std::vector<Key>& keys, IsSame is_same) {
  std::sort(keys.begin(), keys.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i + 1 < keys.size() && is_same(keys[i], keys[i + 1])) continue;
    keys[kept++] = keys[i];
  }
  keys.resize(kept);
}

// The same saturating sums as CandidatePairTraits::combine.
void add_hit(std::uint32_t weight, std::uint16_t sources, CandidatePair& pair) {
  pair.weight = saturating_add(pair.weight, weight);
  pair.hits = saturating_add<std::uint16_t>(pair.hits, 1);
  pair.sources = static_cast<std::uint16_t>(pair.sources | sources);
}

// Of near keys. Nearly all pages have fewer than 100 paragraphs; two of 1,024 are compared in less time than reading
// one of them takes.
constexpr std::uint64_t kComparisonsMaximum = std::uint64_t{1} << 20;

// The keys in the order of the page.
std::vector<NearKey> by_place(std::vector<NearKey> keys) {
  std::sort(keys.begin(), keys.end(), [](const NearKey& x, const NearKey& y) { return x.place < y.place; });
  return keys;
}

bool are_all_compared(std::size_t size_a, std::size_t size_b) {
  return std::uint64_t{size_a} * size_b <= kComparisonsMaximum;
}

void add_near_hit(const NearKey& x, const NearKey& y, CandidatePair& pair) {
  const std::uint32_t weight = std::min(x.weight, y.weight);
  // near_join.cc saturates the weights of different fingerprints to 16 bits, but not those of equal ones.
  add_hit(x.fingerprint == y.fingerprint ? weight : saturate16(weight), kSourceSimhash, pair);
}

// Adds the hits of all pairs of keys or, of pages of which comparing all would take too long, of those at similar
// places, in the order of the page.
void add_near_hits(const PageKeys& a, const PageKeys& b, int distance_bits, CandidatePair& pair) {
  if (a.near.empty() || b.near.empty()) return;
  std::vector<NearKey> keys_a;
  std::vector<NearKey> keys_b;
  const bool is_long = !are_all_compared(a.near.size(), b.near.size());
  if (is_long) {
    keys_a = by_place(a.near);
    keys_b = by_place(b.near);
  }
  const std::span<const NearKey> from = is_long ? keys_a : a.near;
  const std::span<const NearKey> to = is_long ? keys_b : b.near;
  FingerprintColumns searched;
  searched.assign(to, [](const NearKey& key) -> const Fingerprint128& { return key.fingerprint; });
  const SimilarPlaces compared(from.size(), to.size(), kComparisonsMaximum);
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::uint64_t begin = compared.begin(i);
    found.clear();
    find_close_in_run(searched.run(begin, compared.end(i)), from[i].fingerprint, distance_bits, found);
    for (const std::uint32_t place : found) add_near_hit(from[i], to[begin + place], pair);
  }
}

// Returns a flag per paragraph. A paragraph needs no key of its own if all its sentences that are long enough to be
// keys are anchors: equal paragraphs then have equal anchors. That saves about a third of the keys.
std::vector<std::uint8_t> paragraphs_needing_keys(const Profile& profile, std::uint32_t minimum_key_characters) {
  constexpr std::uint8_t kHasAnchor = 1;
  constexpr std::uint8_t kHasUncovered = 2;
  std::vector<std::uint8_t> found(profile.paragraphs.size(), 0);
  for (const SentenceProfile& sentence : profile.sentences) {
    if (sentence.content_characters < minimum_key_characters) continue;
    found[sentence.paragraph] |= sentence.is_anchor ? kHasAnchor : kHasUncovered;
  }
  for (std::uint8_t& needs : found) needs = needs != kHasAnchor;
  return found;
}

}  // namespace

void PageKeys::make_distinct() {
  keep_last_of_equal(exact, [](const ExactKey& a, const ExactKey& b) { return a.key == b.key; });
  keep_last_of_equal(near, [](const NearKey& a, const NearKey& b) { return a.fingerprint == b.fingerprint; });
}

void collect_page_keys(const Profile& profile, std::span<const std::uint8_t> skip_paragraph,
                       const PageKeyChoice& choice, PageKeys& keys) {
  keys.exact.clear();
  keys.near.clear();
  keys.sketch.clear();
  keys.content_characters = profile.content_characters;
  if (choice.with_sketch && has_own_sketch(profile, skip_paragraph)) keys.sketch = profile.sketch.pair_hashes;
  const auto is_skipped = [&](std::size_t paragraph) {
    return paragraph < skip_paragraph.size() && skip_paragraph[paragraph] != 0;
  };
  const std::vector<std::uint8_t> needs_own_key = paragraphs_needing_keys(profile, choice.minimum_key_characters);
  for (std::size_t index = 0; index < profile.paragraphs.size(); ++index) {
    const ParagraphProfile& paragraph = profile.paragraphs[index];
    if (is_skipped(index) || paragraph.content_characters < choice.minimum_key_characters) continue;
    if (needs_own_key[index] != 0) {
      keys.exact.push_back({paragraph.hash, saturate16(paragraph.content_characters), kSourceParagraph});
    }
    if (paragraph.has_simhash && choice.with_near)
      keys.near.push_back({paragraph.simhash, paragraph.content_characters, static_cast<std::uint32_t>(index)});
  }
  for (const SentenceProfile& sentence : profile.sentences) {
    if (!sentence.is_anchor || is_skipped(sentence.paragraph)) continue;
    if (sentence.content_characters < choice.minimum_key_characters) continue;
    keys.exact.push_back({sentence.hash, sentence.content_characters, kSourceAnchor});
  }
}

void collect_search_keys(const Profile& profile, std::span<const std::uint8_t> skip_paragraph,
                         std::uint32_t minimum_key_characters, std::vector<SearchKey>& keys) {
  keys.clear();
  const auto gives_keys = [&](std::size_t paragraph, std::uint32_t characters) {
    return (paragraph >= skip_paragraph.size() || skip_paragraph[paragraph] == 0) &&
           characters >= minimum_key_characters;
  };
  // First the anchors, which absorb the paragraphs that need no key; then the remaining paragraphs.
  std::vector<std::uint8_t> needs_own_key = paragraphs_needing_keys(profile, minimum_key_characters);
  for (const SentenceProfile& sentence : profile.sentences) {
    if (!sentence.is_anchor || !gives_keys(sentence.paragraph, sentence.content_characters)) continue;
    SearchKey key = {sentence.hash, sentence.content_characters};
    const ParagraphProfile& paragraph = profile.paragraphs[sentence.paragraph];
    std::uint8_t& is_open = needs_own_key[sentence.paragraph];
    if (is_open != 0 && paragraph.has_simhash && gives_keys(sentence.paragraph, paragraph.content_characters)) {
      key.weight += saturate16(paragraph.content_characters);
      is_open = 0;
    }
    keys.push_back(key);
  }
  for (std::size_t index = 0; index < profile.paragraphs.size(); ++index) {
    const ParagraphProfile& paragraph = profile.paragraphs[index];
    if (needs_own_key[index] == 0 || !gives_keys(index, paragraph.content_characters)) continue;
    keys.push_back({paragraph.hash, saturate16(paragraph.content_characters)});
  }
  std::sort(keys.begin(), keys.end());
  std::size_t kept = 0;
  for (const SearchKey& key : keys) {
    // A repeated key can match each of its occurrences, so the bounds add up.
    if (kept > 0 && keys[kept - 1].key == key.key) {
      keys[kept - 1].weight = saturating_add(keys[kept - 1].weight, key.weight);
    } else {
      keys[kept++] = key;
    }
  }
  keys.resize(kept);
}

// Mirrors the three joins: merge of the exact keys, pairs of fingerprints, sketches.
CandidatePair keys_in_common(const PageKeys& a, const PageKeys& b, int distance_bits) {
  CandidatePair pair;
  for (std::size_t i = 0, j = 0; i < a.exact.size() && j < b.exact.size();) {
    const ExactKey& x = a.exact[i];
    const ExactKey& y = b.exact[j];
    if (x.key == y.key) {
      add_hit(std::min(x.weight, y.weight), static_cast<std::uint16_t>(x.source | y.source), pair);
      ++i;
      ++j;
    } else if (x.key < y.key) {
      ++i;
    } else {
      ++j;
    }
  }
  if (distance_bits >= 0) add_near_hits(a, b, distance_bits, pair);
  if (a.sketch.empty() || b.sketch.empty()) return pair;
  const std::size_t equal = equal_bytes_of_candidates(SketchBytes(a.sketch), SketchBytes(b.sketch));
  if (equal == 0) return pair;
  add_hit(characters_in_common(std::min(a.content_characters, b.content_characters), equal), kSourceSketch, pair);
  return pair;
}

bool may_have_keys_in_common(const PageKeys& page, const Profile& other, int distance_bits) {
  const auto has_key = [&](std::uint64_t key) {
    const auto at = std::lower_bound(page.exact.begin(), page.exact.end(), key,
                                     [](const ExactKey& x, std::uint64_t wanted) { return x.key < wanted; });
    return at != page.exact.end() && at->key == key;
  };
  // Left to keys_in_common(), which needs the places of the keys.
  if (!are_all_compared(page.near.size(), other.paragraphs.size())) return true;
  FingerprintColumns near;
  if (distance_bits >= 0)
    near.assign(page.near, [](const NearKey& key) -> const Fingerprint128& { return key.fingerprint; });
  std::vector<std::uint32_t> found;
  for (const ParagraphProfile& paragraph : other.paragraphs) {
    // Tests every paragraph hash, also of paragraphs without a key of their own: false positives are allowed.
    if (has_key(paragraph.hash)) return true;
    if (!paragraph.has_simhash || distance_bits < 0) continue;
    find_close_in_run(near.run(0, page.near.size()), paragraph.simhash, distance_bits, found);
    if (!found.empty()) return true;
  }
  for (const SentenceProfile& sentence : other.sentences) {
    if (sentence.is_anchor && has_key(sentence.hash)) return true;
  }
  const std::vector<std::uint8_t>& sketch = other.sketch.pair_hashes;
  return !page.sketch.empty() && !sketch.empty() &&
         equal_bytes_of_candidates(SketchBytes(page.sketch), SketchBytes(sketch)) > 0;
}

}  // namespace paraprint::inline index
