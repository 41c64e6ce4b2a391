// A run over the sample, and what it shows: times of the stages, sizes of files, clusters at several thresholds.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/progress.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "plan/copy_estimate.h"
#include "plan/pair_estimate.h"

namespace paraprint::inline plan {

struct TrialStage {
  std::string name;
  double cpu_seconds = 0;
};

struct TrialThreshold {
  double near = 0;
  ClusterCounts clusters;
};

struct SampleTrial {
  std::uint64_t pages = 0;
  std::uint64_t pages_in_other_languages = 0;
  std::uint64_t broken_records = 0;  // whole records whose content is damaged
  std::uint64_t pages_removed = 0;   // as copies
  ClusterCounts clusters;            // under the options as they are
  ClusterCounts texts;               // pages of equal text
  SampledTextPairs pairs;
  std::vector<TrialThreshold> thresholds;  // ascending; empty unless the algorithm has this threshold
  std::vector<TrialStage> stages;
  std::map<std::string, std::uint64_t> counters;    // of summary.json, by "group.name"
  std::map<std::string, std::uint64_t> file_bytes;  // by name in the output folder; folders as a whole
  std::map<std::string, std::uint64_t> file_lines;  // of tables
  std::uint64_t memory_peak_bytes = 0;              // resident, of the process during the run

  std::uint64_t counter(const std::string& name) const;
  std::uint64_t bytes_of(const std::string& name) const;
};

// `options`: of the run over the sample, with its inputs and a folder for output that does not exist. Errors: those of
// a run.
Result<SampleTrial> try_sample(const DedupOptions& options, ProgressReporter& progress);

}  // namespace paraprint::inline plan
