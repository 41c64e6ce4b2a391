// What a run was asked to do and what it may use: the same for all of its stages. What a stage makes is declared with
// the stage: ReadOutcome (read_stage.h), MatchOutcome (match_stage.h), Decisions (cluster_stage.h) and OutputRows
// (output_stage.h).
#pragma once

#include <string>
#include <vector>

#include "archive/input_files.h"
#include "memory/memory_budget.h"
#include "paraprint/options.h"

namespace paraprint::inline engine {

// How much of a run is taken over from what is stored in the output folder.
enum class RunMode {
  kResume,     // everything that is there and fits; the rest is done
  kRecluster,  // pages and scores must be there
  kOnce,       // nothing is there, and nothing is stored for a later run
};

struct RunSetup {
  const DedupOptions& options;
  const RunMode mode;
  const std::vector<InputFile>& inputs;
  const std::string identity;  // of profiles (settings_identity)
  const unsigned threads;
  MemoryBudget& budget;  // of everything that there is one of for every page or pair
};

}  // namespace paraprint::inline engine
