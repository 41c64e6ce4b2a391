// The second stage of a run by a page-level algorithm: fingerprints -> candidate pairs -> scored pairs.
#pragma once

#include "base/progress.h"
#include "engine/fingerprint_set.h"
#include "engine/match_stage.h"
#include "engine/page_table.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint {

// find_and_score_pairs() of match_stage.h for a page-level algorithm: every pair of at least
// `resemblance_minimum`, and those that are copies by containment.
Result<ScoredPairs> find_and_score_fingerprints(const FingerprintSet& fingerprints, const PageTable& pages,
                                                const DedupOptions& options, double resemblance_minimum,
                                                const SpillOptions& spill, unsigned threads,
                                                ProgressReporter& progress);

}  // namespace paraprint
