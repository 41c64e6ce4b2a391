// The order of the stages. Read pipeline.cc first.
#pragma once

#include <functional>
#include <string>

#include "base/progress.h"
#include "engine/known_pages.h"
#include "engine/run.h"
#include "paraprint/engine.h"
#include "paraprint/options.h"
#include "paraprint/page_collection.h"

namespace paraprint::inline engine {

struct Decisions;
struct OutputRows;

// What a run over pages of a program has in place of input files.
struct MemoryRun {
  const PageSequence& pages;
  std::string digest;  // identifies the pages if the output folder may hold an earlier run
  // If set, it is given the results, and no output is written: the output folder holds the work folder only.
  std::function<void(const PageTable& pages, const Decisions& decisions, const OutputRows& rows)> take;
  bool lists_matches = true;  // otherwise `rows` has the numbers of clusters alone
};

// `known_pages`: the index that the run removes known pages with and adds its own to; null without one.
// `memory`: null for a run over `options.inputs`; otherwise these are not read, and `options.output.records` must be
// off, because there are no stored records to copy.
Result<DedupOutcome> run_pipeline(const DedupOptions& options, RunMode mode, ProgressReporter& progress,
                                  KnownPagesSource* known_pages = nullptr, const MemoryRun* memory = nullptr);

}  // namespace paraprint::inline engine
