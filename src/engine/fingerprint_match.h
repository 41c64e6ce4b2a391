// Second stage of a run with a page-level algorithm: fingerprints -> candidate pairs -> scored pairs.
#pragma once

#include "base/progress.h"
#include "engine/match_stage.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/fingerprint_set.h"
#include "profile/page_table.h"

namespace paraprint::inline engine {

// What the page-level algorithm says of a pair, possibly kDistinct. Thread-safe.
inline Match match_by_fingerprint(const FingerprintSet& fingerprints, const PageTable& pages, std::uint32_t page_a,
                                  std::uint32_t page_b, const MatchOptions& options) {
  return fingerprints.match(page_a, page_b, pages.row(page_a).content_characters, pages.row(page_b).content_characters,
                            options);
}

// Whether a match of a candidate pair is kept: containment can make a verdict below the minimum, so the verdict is
// asked too. The comparison is in single precision, the precision in which scores are stored.
inline bool has_resemblance(const Match& match, double resemblance_minimum) {
  return match.verdict != Verdict::kDistinct || match.resemblance >= static_cast<float>(resemblance_minimum);
}

// The counterpart of find_and_score_pairs() (match_stage.h) for page-level algorithms. Gives every pair with a
// resemblance of at least `resemblance_minimum`, and those that are copies by containment.
Result<ScoredPairs> find_and_score_fingerprints(const FingerprintSet& fingerprints, const PageTable& pages,
                                                const DedupOptions& options, double resemblance_minimum,
                                                const SpillOptions& spill, unsigned threads,
                                                ProgressReporter& progress);

}  // namespace paraprint::inline engine
