// Between the comparison of profiles and the clustering, if asked for: reads the texts of pairs near the decision again
// and aligns their words (report/word_changes.h).
#pragma once

#include "engine/progress.h"
#include "engine/run.h"
#include "paraprint/result.h"

namespace paraprint {

// Fills run.alignments and decides the pairs of run.scored by them; counts in run.aligning. Pairs whose texts can't be
// read again, or are too long to be laid out (report/comparison.h), keep their verdict. Texts are held for as many
// pairs at a time as an eighth of the memory limit takes. Errors: those of the log and of the spill.
Status align_doubtful_pairs(DedupRun& run, ProgressReporter& progress);

}  // namespace paraprint
