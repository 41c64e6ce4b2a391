// The order of the stages. Read pipeline.cc first.
#pragma once

#include "base/progress.h"
#include "engine/known_pages.h"
#include "engine/run.h"
#include "paraprint/engine.h"
#include "paraprint/options.h"

namespace paraprint {

// `known_pages`: the index that the run removes known pages with and adds its own to; null without one.
Result<DedupOutcome> run_pipeline(const DedupOptions& options, RunMode mode, ProgressReporter& progress,
                                  KnownPagesSource* known_pages = nullptr);

}  // namespace paraprint
