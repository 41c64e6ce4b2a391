// The order of the stages. Read pipeline.cc first.
#pragma once

#include "engine/progress.h"
#include "engine/run.h"
#include "paraprint/engine.h"
#include "paraprint/options.h"

namespace paraprint {

Result<DedupOutcome> run_pipeline(const DedupOptions& options, RunMode mode, ProgressReporter& progress);

}  // namespace paraprint
