// The order of a plan: a sample of records, a run over it, and what follows for all pages.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>
#include <utility>

#include "archive/input_files.h"
#include "base/atomic_file.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "memory/scratch_folder.h"
#include "options/command_tables.h"
#include "options/option_table.h"
#include "paraprint/plan.h"
#include "plan/copy_estimate.h"
#include "plan/cost_model.h"
#include "plan/pair_estimate.h"
#include "plan/plan_advice.h"
#include "plan/record_sample.h"
#include "plan/sample_trial.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

constexpr double kIntervalDeviations = 1.96;  // of 95 %
// Larger samples that are considered, as multiples of this one.
constexpr double kSampleSteps[] = {3, 10, 30};
constexpr double kSampleMaximum = 1e6;
// Of a Spark job: cores that finish in an hour, with what each needs beyond --memory, and the driver's memory per page
// and match (docs/spark.md).
constexpr double kSparkJobSeconds = 3600;
constexpr double kSparkCoreBytes = double{1 << 30};
constexpr double kSparkPageBytes = 250;
constexpr double kSparkMatchBytes = 28;

DedupOptions trial_options(const PlanOptions& options, const ScratchFolder& folder) {
  DedupOptions trial = options.run;
  trial.inputs = {folder.path() + "/sample"};
  trial.output.out = folder.path() + "/out";
  trial.output.restart = false;
  trial.output.max_removed_share = 1;
  trial.resources.tmp.clear();
  trial.survivors.never.clear();
  trial.survivors.always.clear();
  return trial;
}

PlannedRange range_of(const BoundedShare& bounded, double factor = 1) {
  return {bounded.share * factor, bounded.lower * factor, bounded.upper * factor};
}

// The share of copies is that of the pages that are compared.
double compared_pages(const PlanOutcome& plan) {
  return plan.pages.estimate * (1 - plan.other_language_share);
}

void describe_sample(const RecordSample& sample, const SampleTrial& trial, PlanOutcome& plan) {
  plan.sampled_pages = trial.pages;
  plan.is_whole = sample.is_whole;
  plan.input_bytes = sample.input_bytes;
  plan.broken_records = sample.broken_records;
  plan.has_all_been_read = sample.has_all_been_read;
  plan.broken_examples = sample.broken_examples;
  plan.unreadable_inputs = sample.unreadable_inputs;
  plan.unreadable_reasons = sample.unreadable_reasons;
  plan.notes = sample.notes;
  if (trial.broken_records > 0) {
    plan.notes.push_back(
        fmt::format("{} of the sampled records are damaged inside; a run names them", trial.broken_records));
  }
  const auto records = static_cast<double>(std::max<std::uint64_t>(sample.page_records, 1));
  const double accepted = static_cast<double>(trial.pages) / records;
  const double pages = sample.page_records_total * accepted;
  const double of_acceptance =
      sample.is_whole || accepted >= 1 || accepted == 0 ? 0 : std::sqrt((1 - accepted) / accepted / records);
  const double error = kIntervalDeviations * std::hypot(sample.relative_error, of_acceptance) * pages;
  const auto sampled = static_cast<double>(trial.pages);
  plan.pages = {std::max(pages, sampled), std::max(pages - error, sampled), std::max(pages + error, sampled)};
  if (trial.pages > 0) {
    plan.other_language_share = static_cast<double>(trial.pages_in_other_languages) / sampled;
  }
}

Status estimate_shares(const SampleTrial& trial, PlanOutcome& plan) {
  const double pages = compared_pages(plan);
  const double compared = 1 - plan.other_language_share;
  PARAPRINT_ASSIGN(const CopyEstimate copies, estimate_copies(trial.clusters, pages));
  plan.removed_share = range_of(copies.removed, compared);
  plan.clusters = range_of(copies.clusters, pages);
  for (const TrialThreshold& threshold : trial.thresholds) {
    PARAPRINT_ASSIGN(const CopyEstimate at, estimate_copies(threshold.clusters, pages));
    plan.thresholds.push_back({threshold.near, range_of(at.removed, compared)});
  }
  if (plan.is_whole) return {};
  for (const double step : kSampleSteps) {
    const double larger = std::min({static_cast<double>(plan.sampled_pages) * step, pages, kSampleMaximum});
    if (larger <= static_cast<double>(plan.sampled_pages) * 1.2) break;
    PARAPRINT_ASSIGN(const CopyEstimate then, estimate_copies(expected_counts(copies.sizes, pages, larger), pages));
    plan.larger_samples.push_back({static_cast<std::uint64_t>(larger), range_of(then.removed, compared)});
    if (larger >= pages) break;
  }
  return {};
}

Status estimate_cost(const PlanOptions& options, const SampleTrial& trial, const RecordSample& sample,
                     std::uint64_t input_files, PlanOutcome& plan) {
  const ResourceOptions& resources = options.run.resources;
  plan.threads = resources.threads > 0 ? resources.threads : std::max(1U, std::thread::hardware_concurrency());
  plan.memory_target_bytes = resources.memory;
  RunSize size;
  size.pages = plan.pages.estimate;
  size.pages_removed = plan.pages.estimate * (plan.removed_share.estimate + plan.other_language_share);
  size.pages_in_clusters = plan.pages.estimate * plan.removed_share.estimate + plan.clusters.estimate;
  PARAPRINT_ASSIGN(const CopyEstimate texts, estimate_copies(trial.texts, plan.pages.estimate));
  size.pairs = estimate_pair_growth(trial.pairs, texts.sizes, plan.pages.estimate, options.run.candidates.group_cap);
  size.input_bytes = static_cast<double>(sample.input_bytes);
  size.sample_bytes = static_cast<double>(sample.stored_bytes);
  size.sample_removed = static_cast<double>(trial.pages_removed + trial.pages_in_other_languages);
  size.files = input_files;
  RunCost cost = model_run(trial, size, machine_speed(), plan.threads, resources.memory);
  plan.matches = cost.matches;
  plan.stages = std::move(cost.stages);
  for (const PlannedStage& stage : plan.stages) {
    plan.seconds += stage.seconds;
    plan.cpu_seconds += stage.cpu_seconds;
  }
  plan.memory_peak_bytes = cost.memory_peak_bytes;
  plan.memory_unbounded_bytes = cost.memory_unbounded_bytes;
  plan.files = std::move(cost.files);
  for (const PlannedFile& file : plan.files) (file.is_work ? plan.work_bytes : plan.output_bytes) += file.size_bytes;
  plan.spark.partitions = static_cast<std::uint64_t>(std::max(1.0, std::ceil(plan.cpu_seconds / kSparkJobSeconds)));
  plan.spark.executor_bytes_per_core = static_cast<double>(resources.memory) + kSparkCoreBytes;
  plan.spark.driver_bytes =
      plan.pages.estimate * kSparkPageBytes + plan.matches * kSparkMatchBytes + static_cast<double>(resources.memory);
  return {};
}

// Of the disk that has the folder, or will have it.
std::uint64_t free_bytes_at(const std::string& folder) {
  if (folder.empty()) return 0;
  std::error_code error;
  for (fs::path path = fs::absolute(folder, error); !error && !path.empty(); path = path.parent_path()) {
    const fs::space_info space = fs::space(path, error);
    if (!error) return space.available;
    if (path == path.parent_path()) break;
    error.clear();
  }
  return 0;
}

}  // namespace

Status PlanOptions::validate() const {
  if (run.inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no input given");
  PARAPRINT_TRY(check_options(plan_option_rows(), *this));
  DedupOptions complete = run;
  if (complete.output.out.empty()) complete.output.out = "out";
  return complete.validate();
}

Result<PlanOutcome> plan_run(const PlanOptions& options, const RunControl& control) {
  PARAPRINT_TRY(options.validate());
  const StopScope scope(control.stop);
  ProgressReporter progress(control);
  PARAPRINT_ASSIGN(const std::vector<InputFile> inputs, expand_inputs(options.run.inputs, options.run.reading));
  PARAPRINT_ASSIGN(const ScratchFolder folder, ScratchFolder::create(options.run.resources.tmp, "paraprint-plan-"));
  PARAPRINT_TRY(create_folders(folder.path() + "/sample"));
  RecordSampleOptions sampling;
  sampling.pages = options.sample;
  sampling.seconds = options.seconds;
  sampling.seed = options.seed;
  sampling.memory_bytes = options.run.resources.memory / 4;
  PARAPRINT_ASSIGN(const RecordSample sample,
                   sample_records(inputs, options.run.reading, sampling, folder.path() + "/sample", progress));
  // Warnings would name files that the user does not know.
  RunControl quiet = control;
  quiet.warning = nullptr;
  ProgressReporter trial_progress(quiet);
  SampleTrial trial;
  if (!sample.files.empty()) {
    PARAPRINT_ASSIGN(trial, try_sample(trial_options(options, folder), trial_progress));
  }
  PlanOutcome plan;
  plan.near = options.run.match.near;
  describe_sample(sample, trial, plan);
  if (trial.pages > 0) {
    PARAPRINT_TRY(estimate_shares(trial, plan));
    PARAPRINT_TRY(estimate_cost(options, trial, sample, inputs.size(), plan));
  }
  plan.free_bytes = free_bytes_at(options.run.output.out);
  add_advice(options, plan);
  return plan;
}

}  // namespace paraprint
