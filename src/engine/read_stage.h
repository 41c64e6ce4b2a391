// First stage of a run: input records -> pages -> profiles -> work log. Parallel, resumable, in input order.
#pragma once

#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/page_log.h"
#include "text/word_weights.h"

namespace paraprint {

// Reads what `log` does not contain yet. Broken records and unreadable inputs are counted and logged as defects and do
// not end the stage. Errors: those of the log, invalid options, and kCancelled.
Status read_and_profile(const std::vector<InputFile>& inputs, const DedupOptions& options, unsigned threads,
                        const WordWeights& weights, PageLog& log, ProgressReporter& progress);

}  // namespace paraprint
