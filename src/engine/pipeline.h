// The order of the stages. Read pipeline.cc first.
#pragma once

#include "engine/progress.h"
#include "paraprint/engine.h"
#include "paraprint/options.h"

namespace paraprint {

// How much of a run is taken over from what is stored in the output folder.
enum class RunMode {
  kResume,     // everything that is there and fits; the rest is done
  kRecluster,  // pages and scores must be there
};

Result<DedupOutcome> run_pipeline(const DedupOptions& options, RunMode mode, ProgressReporter& progress);

}  // namespace paraprint
