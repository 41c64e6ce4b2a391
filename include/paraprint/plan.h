// What a run of deduplicate() will take, from a sample of its input: pages, share of copies, time, memory, disk.
//
// Example:
//
//   PlanOptions options;
//   options.run.inputs = {"crawl/"};
//   options.run.match.near = 0.6;
//   Result<PlanOutcome> plan = plan_run(options);
//   if (plan) std::string text = plan_text(*plan);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

struct PlanOptions {
  // The run in question. Its output folder is not written to and need not be given; if it is, the space on its disk is
  // compared with what the run will write.
  DedupOptions run;
  // Pages of the sample. 0: one in a hundred, but 2,000 to 20,000. At most 1,000,000.
  std::uint64_t sample = 0;
  // Time for reading the sample; profiling and comparing it takes about a millisecond per page more. Range (0, 86400].
  double seconds = 30;
  std::uint64_t seed = 1;  // another seed draws another sample

  Status validate() const;
};

// An estimate with the bounds of its interval of 95 %.
struct PlannedRange {
  double estimate = 0;
  double lower = 0;
  double upper = 0;
};

// A stage of the run, named as in timing.json.
struct PlannedStage {
  std::string name;
  double seconds = 0;      // wall clock, if the threads have processors of their own
  double cpu_seconds = 0;  // of all threads
};

// A file or folder of the run.
struct PlannedFile {
  std::string name;
  double size_bytes = 0;
  bool is_work = false;  // needed while the run lasts, and by recluster
};

// What the run would remove if MatchOptions::near were this.
struct PlannedThreshold {
  double near = 0;
  PlannedRange removed_share;
};

// How well a sample of this size would tell the share of copies, if what this one says is right.
struct PlannedSample {
  std::uint64_t pages = 0;
  PlannedRange removed_share;
};

struct PlannedSpark {
  std::uint64_t partitions = 0;        // the number of cores that finish in about an hour
  double executor_bytes_per_core = 0;  // spark.executor.memoryOverhead
  double driver_bytes = 0;
};

struct PlanOutcome {
  // The sample.
  std::uint64_t sampled_pages = 0;
  bool is_whole = false;             // the sample is the whole input
  std::uint64_t input_bytes = 0;     // stored
  std::uint64_t broken_records = 0;  // met while sampling; of all only if every record was read
  bool has_all_been_read = false;
  std::vector<std::string> broken_examples;  // file, place and reason of the first ones
  std::uint64_t unreadable_inputs = 0;       // files that cannot be read
  std::vector<std::string> unreadable_reasons;

  // The run.
  PlannedRange pages;
  PlannedRange removed_share;       // of the pages, as copies of others
  double other_language_share = 0;  // of the pages, removed for their language
  PlannedRange clusters;            // of two or more pages
  double matches = 0;               // rows of matches.tsv
  double near = 0;                  // the threshold
  std::vector<PlannedThreshold> thresholds;
  std::vector<PlannedSample> larger_samples;
  unsigned threads = 0;
  std::vector<PlannedStage> stages;
  double seconds = 0;
  double cpu_seconds = 0;
  double memory_peak_bytes = 0;
  std::uint64_t memory_target_bytes = 0;
  double memory_unbounded_bytes = 0;  // the peak without a target: what more --memory can save of the disk
  std::vector<PlannedFile> files;
  double work_bytes = 0;
  double output_bytes = 0;
  std::uint64_t free_bytes = 0;  // on the disk of the output folder; 0 if none was given
  PlannedSpark spark;
  std::vector<std::string> advice;  // options worth changing, one sentence each
  std::vector<std::string> notes;   // what limits the estimates
};

// Samples the inputs, runs over the sample in a temporary folder (ResourceOptions::tmp, else the system's), and
// extrapolates. The folder is removed at the end. The sample and what is estimated from its pages depend on inputs,
// options and seed; times are those of this machine at this moment.
//
// Errors: kInvalidArgument (options, inputs without any page, standard input), kNotFound and kPermissionDenied for
// inputs, kNoSpace, kInputOutput, kCancelled. Inputs that cannot be read, and broken records, are counted and named.
// Memory: that of a run over the sample. docs/plan.md explains the estimates.
Result<PlanOutcome> plan_run(const PlanOptions& options, const RunControl& control = {});

// The plan as tables for people, and as one JSON object (docs/plan.md). Without and with a final line feed.
std::string plan_text(const PlanOutcome& plan);
std::string plan_json(const PlanOutcome& plan);

}  // namespace paraprint
