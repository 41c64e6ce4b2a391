// The keys by which a page is found, and the keys that two pages have in common: the rule of candidates.h for one pair.
//
// candidates.h joins the keys of all pages at once; the online index looks up the keys of one page. Both use these
// functions, so that they propose the same pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/short_page.h"
#include "index/key_join.h"
#include "paraprint/model.h"

namespace paraprint::inline index {

// Shorter paragraphs and sentences ("Read more") are not used as keys.
inline constexpr std::uint32_t kMinimumKeyCharacters = 20;

// Whether a page with this many content characters is found by its keys: EMPTY and SHORT pages are not.
inline bool has_page_keys(std::uint32_t content_characters,
                          std::uint32_t short_page_characters = kShortPageCharacters) {
  return content_characters > 0 && content_characters >= short_page_characters;
}

struct ExactKey {
  std::uint64_t key = 0;
  std::uint16_t weight = 0;  // content characters, saturating
  std::uint16_t source = 0;  // CandidateSource
  friend auto operator<=>(const ExactKey&, const ExactKey&) = default;
};

struct NearKey {
  Fingerprint128 fingerprint;
  std::uint32_t weight = 0;  // content characters
  std::uint32_t place = 0;   // of its paragraph in the page
  friend auto operator<=>(const NearKey&, const NearKey&) = default;
};

struct PageKeys {
  std::vector<ExactKey> exact;
  std::vector<NearKey> near;
  std::vector<std::uint8_t> sketch;  // PageSketch::pair_hashes; empty: the page is not found as a whole
  std::uint32_t content_characters = 0;

  // Sorts and removes duplicates; of a repeated key the largest weight is kept, as in the joins.
  void make_distinct();
};

// Replaces `keys` with the keys of the page, in text order and including repeated ones. `skip_paragraph`: empty, or one
// flag per paragraph; flagged paragraphs (site boilerplate) and their sentences yield no keys.
struct PageKeyChoice {
  std::uint32_t minimum_key_characters = kMinimumKeyCharacters;
  bool with_near = true;
  bool with_sketch = true;
};
void collect_page_keys(const Profile& profile, std::span<const std::uint8_t> skip_paragraph,
                       const PageKeyChoice& choice, PageKeys& keys);

// The exact keys by which an index is searched for a page, ascending. `weight` is the maximum number of characters that
// a text with this key has in common with the page because of it. These are the keys of collect_page_keys() except for
// paragraphs that have an anchor and a fingerprint: every text with the paragraph also has its anchors, so the
// paragraph needs no entry in the index, and its characters are added to its first anchor.
struct SearchKey {
  std::uint64_t key = 0;
  std::uint32_t weight = 0;
  friend auto operator<=>(const SearchKey&, const SearchKey&) = default;
};
void collect_search_keys(const Profile& profile, std::span<const std::uint8_t> skip_paragraph,
                         std::uint32_t minimum_key_characters, std::vector<SearchKey>& keys);

// The candidate pair that the joins would report for two pages, with page numbers 0; hits is 0 if they would not report
// it. Keys must be distinct. One difference: the joins count a fingerprint shared by several pages with the largest
// weight of any of them, this function with the two pages' own. Another concerns pages of more than a thousand
// paragraphs, whose fingerprints are compared at similar places only (base/similar_places.h). `distance_bits` below 0:
// none are compared. Cost: the exact keys plus those comparisons.
CandidatePair keys_in_common(const PageKeys& a, const PageKeys& b, int distance_bits);

// False only if keys_in_common() has no hit, whichever paragraphs of `other` are flagged; rarely true without a hit,
// except for very long pages. A filter for scanning pages that mostly have nothing in common with `page`, without
// collecting their keys. The keys of `page` must be distinct. Cost: at most 2^20 comparisons of fingerprints.
bool may_have_keys_in_common(const PageKeys& page, const Profile& other, int distance_bits);

}  // namespace paraprint::inline index
