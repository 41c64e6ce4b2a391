// Scores become matches here and nowhere else: a verdict must not depend on which program asked for it.
#include "profile/page_match.h"

#include <algorithm>
#include <string>

#include "base/hash.h"
#include "http/url_host.h"

namespace paraprint::inline profile {

std::uint64_t site_of_url(std::string_view url) {
  const std::string host = url_host(url);
  return host.empty() ? 0 : blake2b128(host).high;
}

Match match_of(const PairScore& score, std::uint32_t page_a, std::uint32_t page_b, const MatchOptions& options) {
  Match match;
  match.page_a = page_a;
  match.page_b = page_b;
  match.resemblance = static_cast<float>(score.resemblance);
  match.containment_a = static_cast<float>(score.containment_a);
  match.containment_b = static_cast<float>(score.containment_b);
  match.matched_characters = static_cast<float>(score.matched);
  // Decided on the rounded scores because those are stored: recluster must reach the same verdict from them.
  match.verdict = decide_verdict(match.resemblance, match.containment_a, match.containment_b, match.matched_characters,
                                 score.verdict == Verdict::kSame, options);
  return match;
}

// Fingerprints don't give a matched size. Resemblance is R = X / (W_A + W_B - X) with sizes W and common part X; solved
// for X it gives the size that a text-based method would have to report for the same resemblance.
Match match_of(const FingerprintSimilarity& similarity, double threshold, std::uint32_t characters_a,
               std::uint32_t characters_b, const MatchOptions& options) {
  Match match;
  match.resemblance = static_cast<float>(similarity.resemblance);
  match.containment_a = static_cast<float>(similarity.containment_a);
  match.containment_b = static_cast<float>(similarity.containment_b);
  const double characters = static_cast<double>(characters_a) + static_cast<double>(characters_b);
  match.matched_characters = static_cast<float>(similarity.resemblance / (1 + similarity.resemblance) * characters);
  match.verdict = verdict_by_threshold(match, threshold, options);
  return match;
}

// In single precision, as stored: a run that reads its scores back must come to the same verdict.
Verdict verdict_by_threshold(const Match& match, double threshold, const MatchOptions& options) {
  if (match.resemblance >= static_cast<float>(threshold)) return Verdict::kNear;
  const bool a_is_more = match.containment_a >= match.containment_b;
  if (std::max(match.containment_a, match.containment_b) < static_cast<float>(options.containment)) {
    return Verdict::kDistinct;
  }
  return a_is_more ? Verdict::kContained : Verdict::kContains;
}

std::uint32_t stored_characters_minimum(const MatchOptions& options) {
  return std::min(options.min_characters, kStoredCharacters);
}

// Containment and overlap can be of interest for pairs of low resemblance, so resemblance does not count.
bool is_worth_storing(const Match& match, const MatchOptions& options) {
  return match.matched_characters >= static_cast<float>(stored_characters_minimum(options)) &&
         std::max(match.containment_a, match.containment_b) >= static_cast<float>(options.overlap_share);
}

}  // namespace paraprint::inline profile
