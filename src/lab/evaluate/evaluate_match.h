// Runs one algorithm over spooled pages and measures its costs.
#pragma once

#include <cstddef>

#include "base/counters.h"
#include "engine/match_stage.h"
#include "lab/evaluate/evaluate_spool.h"
#include "lab/evaluate/evaluate_variants.h"
#include "lab/evaluate/pair_outcomes.h"
#include "paraprint/evaluate.h"

namespace paraprint::inline lab::inline evaluation {

struct MatchedVariant {
  FoundPairs found;
  double threshold = 0;
  double min_score = 0;  // pairs below it were not searched for
  Counters counters;
  AlgorithmCosts costs;
};

// Uses the same functions as a dedup run. `log` is the variant's index in spool.fingerprints; it is ignored for the
// paragraph method. Only one call may run in a process at a time, because peak memory is measured per process. Errors:
// those of reading the spool and of spilling.
Result<MatchedVariant> match_variant(const EvaluationVariant& variant, const EvaluationSpool& spool, std::size_t log,
                                     const SpillOptions& spill, unsigned threads);

}  // namespace paraprint::inline lab::inline evaluation
