// First stage of a run: input records -> pages -> profiles -> work log. Parallel, resumable, in the order of the input.
#pragma once

#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/page_log.h"
#include "text/word_weights.h"

namespace paraprint {

// Reads what `log` does not have yet. Broken records are counted and logged as defects; only a failing log, or a
// failing read of an input that was readable before, ends the stage.
Status read_and_profile(const std::vector<InputFile>& inputs, const DedupOptions& options, unsigned threads,
                        const WordWeights& weights, PageLog& log, ProgressReporter& progress);

}  // namespace paraprint
