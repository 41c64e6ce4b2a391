// A sorted array: pairs are aligned in ascending order and looked up by clustering, the report and the evidence writer.
#include "engine/word_alignment.h"

#include <algorithm>
#include <utility>

#include "verify/paragraph_matching.h"

namespace paraprint::inline engine {
namespace {

// Distances below and above --near within which the resemblance of labelled copies and that of other pairs overlap, as
// measured in docs/algorithms/synonyms.md.
constexpr double kDoubtBelow = 0.20;
constexpr double kDoubtAbove = 0.05;

}  // namespace

bool is_near_decision(const Match& match, const MatchOptions& options) {
  return match.verdict != Verdict::kSame && match.resemblance >= options.near - kDoubtBelow &&
         match.resemblance < options.near + kDoubtAbove;
}

Status WordAlignments::add(std::uint32_t page_a, std::uint32_t page_b, float word_resemblance) {
  return pairs_.push_back({page_a, page_b, word_resemblance});
}

std::optional<float> WordAlignments::find(std::uint32_t page_a, std::uint32_t page_b) const {
  const std::pair wanted(std::min(page_a, page_b), std::max(page_a, page_b));
  const auto* const found =
      std::lower_bound(pairs_.begin(), pairs_.end(), wanted,
                       [](const Pair& pair, const auto& pages) { return std::pair(pair.page_a, pair.page_b) < pages; });
  if (found == pairs_.end() || std::pair(found->page_a, found->page_b) != wanted) return std::nullopt;
  return found->word_resemblance;
}

// Only the resemblance is replaced; containment and matched size still come from the profiles.
void WordAlignments::decide(Match& match, const MatchOptions& options) const {
  const std::optional<float> word_resemblance = find(match.page_a, match.page_b);
  if (!word_resemblance) return;
  const double mean = (double{match.resemblance} + double{*word_resemblance}) / 2;
  match.verdict = decide_verdict(mean, match.containment_a, match.containment_b, match.matched_characters,
                                 match.verdict == Verdict::kSame, options);
}

}  // namespace paraprint::inline engine
