// The keys by which a page is found, and what two pages have in common by them: the rule of candidates.h for one pair.
//
// candidates.h joins the keys of all pages at once; the online index looks up those of one page. Both take them from
// here, so that they propose the same pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/short_page.h"
#include "index/key_join.h"
#include "paraprint/model.h"

namespace paraprint {

// Shorter paragraphs and sentences ("Read more") are no key.
inline constexpr std::uint32_t kMinimumKeyCharacters = 20;

// Whether a page of so many content characters is found by its keys: EMPTY and SHORT ones are not.
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
  friend auto operator<=>(const NearKey&, const NearKey&) = default;
};

struct PageKeys {
  std::vector<ExactKey> exact;
  std::vector<NearKey> near;
  std::vector<std::uint8_t> sketch;  // PageSketch::pair_hashes; empty: the page is not found as a whole
  std::uint32_t content_characters = 0;

  // Sorts; a key that comes several times stays with its largest weight, as in the joins.
  void make_distinct();
};

// Replaces `keys` by those of the page, in text order, repeated ones too. `skip_paragraph`: empty, or a flag a
// paragraph; flagged ones (site boilerplate) and their sentences give no key.
struct PageKeyChoice {
  std::uint32_t minimum_key_characters = kMinimumKeyCharacters;
  bool with_near = true;
  bool with_sketch = true;
};
void collect_page_keys(const Profile& profile, std::span<const std::uint8_t> skip_paragraph,
                       const PageKeyChoice& choice, PageKeys& keys);

// The exact keys by which a page is looked for in an index, ascending, and what a text that has one may have in common
// with the page by it: at most `weight` characters. They are those of `collect_page_keys` but for paragraphs that have
// an anchor and a fingerprint: whoever has the paragraph has its anchors, so it needs no place in an index, and its
// characters count with its first anchor.
struct SearchKey {
  std::uint64_t key = 0;
  std::uint32_t weight = 0;
  friend auto operator<=>(const SearchKey&, const SearchKey&) = default;
};
void collect_search_keys(const Profile& profile, std::span<const std::uint8_t> skip_paragraph,
                         std::uint32_t minimum_key_characters, std::vector<SearchKey>& keys);

// What the joins would say of two pages, page numbers left 0: hits 0 if they would not propose the pair. Keys must be
// distinct. A fingerprint that several pages have counts there with the largest weight of any of them, here with the
// pages' own. O(keys of exact) plus every pair of fingerprints.
CandidatePair keys_in_common(const PageKeys& a, const PageKeys& b, int distance_bits);

// False only if keys_in_common() has no hit, whatever paragraphs of `other` give no key; seldom true then. `page`:
// distinct keys. For going through pages of which most have nothing in common, without making their keys.
bool may_have_keys_in_common(const PageKeys& page, const Profile& other, int distance_bits);

}  // namespace paraprint
