// One algorithm over spooled pages: what it finds, and what that costs.
#pragma once

#include <cstddef>

#include "base/counters.h"
#include "engine/match_stage.h"
#include "lab/evaluate/evaluate_spool.h"
#include "lab/evaluate/evaluate_variants.h"
#include "lab/evaluate/pair_outcomes.h"
#include "paraprint/evaluate.h"

namespace paraprint {

struct MatchedVariant {
  FoundPairs found;
  double threshold = 0;
  double score_minimum = 0;  // pairs below it were not looked for
  Counters counters;
  AlgorithmCosts costs;
};

// The same functions as in a run of dedup. `log` is the variant's among spool.fingerprints; not used for the paragraph
// method. Peak memory is measured: one call at a time in a process. Errors: those of reading the spool and of spilling.
Result<MatchedVariant> match_variant(const EvaluationVariant& variant, const PageSpool& spool, std::size_t log,
                                     const SpillOptions& spill, unsigned threads);

}  // namespace paraprint
