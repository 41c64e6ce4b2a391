// The order of the stages. Read pipeline.cc first.
#pragma once

#include <functional>
#include <span>

#include "base/progress.h"
#include "engine/known_pages.h"
#include "engine/run.h"
#include "paraprint/engine.h"
#include "paraprint/model.h"
#include "paraprint/options.h"

namespace paraprint {

class PageTable;
struct Decisions;
struct OutputRows;

// What a run over pages in memory has in place of input files and output files.
struct MemoryRun {
  std::span<const Page> pages;
  std::function<void(const PageTable& pages, const Decisions& decisions, const OutputRows& rows)> take;
};

// `known_pages`: the index that the run removes known pages with and adds its own to; null without one.
// `memory`: null for a run over `options.inputs`; otherwise the output folder holds the work folder only.
Result<DedupOutcome> run_pipeline(const DedupOptions& options, RunMode mode, ProgressReporter& progress,
                                  KnownPagesSource* known_pages = nullptr, const MemoryRun* memory = nullptr);

}  // namespace paraprint
