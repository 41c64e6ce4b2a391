// Optional stage between comparing profiles and clustering: reads the texts of pairs near the threshold again and
// aligns their words (report/word_changes.h).
#pragma once

#include "base/progress.h"
#include "engine/run.h"
#include "paraprint/result.h"

namespace paraprint {

// Semantics::align_doubtful_pairs. Fills run.alignments, updates the verdicts in run.scored accordingly, and counts in
// run.aligning. Pairs whose texts cannot be read again, or are too long to lay out (report/comparison.h), keep their
// verdict. The texts held at a time take up to an eighth of the memory limit. Errors: those of the log and of the
// spill.
Status align_words_of_pairs(DedupRun& run, ProgressReporter& progress);

}  // namespace paraprint
