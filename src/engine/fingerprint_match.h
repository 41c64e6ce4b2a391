// Second stage of a run with a page-level algorithm: fingerprints -> candidate pairs -> scored pairs.
#pragma once

#include "base/progress.h"
#include "engine/fingerprint_set.h"
#include "engine/match_stage.h"
#include "engine/page_table.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint {

// The counterpart of find_and_score_pairs() (match_stage.h) for page-level algorithms. Gives every pair with a
// resemblance of at least `resemblance_minimum`, and those that are copies by containment.
Result<ScoredPairs> find_and_score_fingerprints(const FingerprintSet& fingerprints, const PageTable& pages,
                                                const DedupOptions& options, double resemblance_minimum,
                                                const SpillOptions& spill, unsigned threads,
                                                ProgressReporter& progress);

}  // namespace paraprint
