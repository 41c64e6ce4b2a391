// What the score of two profiles, or of two page fingerprints, means for their pages: the match that is stored, and
// what is worth storing. Shared by the run, the index and the divided run, so that all three give the same verdict.
#pragma once

#include <cstdint>
#include <string_view>

#include "fingerprint/page_fingerprinter.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "verify/paragraph_matching.h"

namespace paraprint::inline profile {

// The site a page belongs to, as a number: the high half of the B128 of its host, so that no other host can be given
// the number of a site to vote for its template. 0 if the URL has no host.
std::uint64_t site_of_url(std::string_view url);

// The scores of the pages page_a and page_b as they are stored, and the verdict that follows from them.
Match match_of(const PairScore& score, std::uint32_t page_a, std::uint32_t page_b, const MatchOptions& options);

// The same of two fingerprints by one page-level algorithm, possibly kDistinct. `characters_*` are the pages' content
// characters.
Match match_of(const FingerprintSimilarity& similarity, double threshold, std::uint32_t characters_a,
               std::uint32_t characters_b, const MatchOptions& options);
// Decides again from scores that this gave and a file stored.
Verdict verdict_by_threshold(const Match& match, double threshold, const MatchOptions& options);

// Pairs with fewer matched characters are not stored; thresholds may be lowered to this later.
inline constexpr std::uint32_t kStoredCharacters = 50;
std::uint32_t stored_characters_minimum(const MatchOptions& options);

// Whether a match has enough in common to be stored. Thresholds may change later, but not below this.
bool is_worth_storing(const Match& match, const MatchOptions& options);

}  // namespace paraprint::inline profile
