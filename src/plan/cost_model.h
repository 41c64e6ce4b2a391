// What a run over all pages takes, from a run over a sample of them.
//
// What each page takes by itself (reading, profiling, writing) is scaled by pages. What pairs take is scaled by pairs
// (pair_estimate.h): a sample of one page in a hundred has one in ten thousand of them, so their times and sizes come
// from the sample as far as it has pairs, and from constants otherwise (bench/plan.py compares the results with runs).
// Constants of time are those of one machine and are scaled by the speed of this one.
#pragma once

#include <cstdint>
#include <vector>

#include "paraprint/plan.h"
#include "plan/pair_estimate.h"
#include "plan/sample_trial.h"

namespace paraprint::inline plan {

// What is known of the run over everything.
struct RunSize {
  double pages = 0;
  double pages_removed = 0;      // for any reason
  double pages_in_clusters = 0;  // of two or more
  double input_bytes = 0;        // stored
  PairGrowth pairs;
  double sample_bytes = 0;    // stored, of the pages of the trial
  double sample_removed = 0;  // pages of the trial that were removed, for any reason
  std::uint64_t files = 1;    // that the survivors are copied from
};

struct RunCost {
  std::vector<PlannedStage> stages;
  std::vector<PlannedFile> files;
  double matches = 0;  // rows of matches.tsv
  double memory_peak_bytes = 0;
  double memory_unbounded_bytes = 0;
};

// `speed`: of this machine (machine_speed()). `threads` and `memory_bytes`: of the run. Pure.
RunCost model_run(const SampleTrial& trial, const RunSize& size, double speed, unsigned threads,
                  std::uint64_t memory_bytes);

// Processor time of a fixed piece of work on this machine, relative to that of the machine of the constants: 2 is half
// as fast. Takes some tens of milliseconds.
double machine_speed();

}  // namespace paraprint::inline plan
