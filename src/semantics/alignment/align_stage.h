// Optional stage between comparing profiles and clustering: reads the texts of pairs near the threshold again and
// aligns their words (report/word_changes.h).
#pragma once

#include "base/progress.h"
#include "engine/match_stage.h"
#include "engine/read_stage.h"
#include "engine/run.h"
#include "engine/word_alignment.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline semantics::inline alignment {

// Semantics::align_doubtful_pairs. Updates the verdicts in `matches` (ScoredPairs) by the result. Pairs whose texts
// cannot be read again, or are too long to lay out (report/comparison.h), keep their verdict. The texts held at a time
// take up to an eighth of the memory limit. Errors: those of the log, of the
// spill and of reading inputs.
Result<AlignedPairs> align_words_of_pairs(const RunSetup& run, const ReadOutcome& read, const ComparisonBasis& basis,
                                          SpillArray<Match>& matches, ProgressReporter& progress);

}  // namespace paraprint::inline semantics::inline alignment
