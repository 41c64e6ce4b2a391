// A sentence for each option that would change the time, the memory or the disk of the run by much, with the figures
// that it follows from.
#include "plan/plan_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "memory/usable_memory.h"
#include "plan/plan_units.h"

namespace paraprint::inline plan {
namespace {

constexpr double kWideInterval = 0.1;  // of the share of copies
constexpr double kLargeShare = 0.5;    // of the output
constexpr double kWorthSavingBytes = 1e9;
constexpr double kFullDisk = 0.9;    // of what is free
constexpr double kSparkPages = 1e7;  // what the driver of a Spark job suits

double bytes_of(const PlanOutcome& plan, std::string_view name) {
  double bytes = 0;
  for (const PlannedFile& file : plan.files) {
    if (file.name == name) bytes += file.size_bytes;
  }
  return bytes;
}

void advise_memory(PlanOutcome& plan) {
  const auto usable = static_cast<double>(usable_memory_bytes());
  const auto target = static_cast<double>(plan.memory_target_bytes);
  if (usable > 0 && target > 0.9 * usable && plan.memory_peak_bytes > 0.9 * usable) {
    plan.advice.push_back(fmt::format("--memory {} is more than this process may use ({}): give at most three quarters",
                                      bytes_text(target), bytes_text(usable)));
  }
  if (plan.memory_unbounded_bytes <= plan.memory_peak_bytes) return;
  const double needed = plan.memory_unbounded_bytes * 1.1;
  if (usable == 0 || needed < 0.75 * usable) {
    plan.advice.push_back(fmt::format("--memory {:.0f}GB keeps all tables in memory; with {}, {} of them go to disk",
                                      std::ceil(needed / 1e9), bytes_text(target),
                                      bytes_text(bytes_of(plan, "spill"))));
  } else {
    plan.advice.push_back(
        fmt::format("--tmp on a local disk: {} of tables go there", bytes_text(bytes_of(plan, "spill"))));
  }
}

void advise_disk(const PlanOptions& options, PlanOutcome& plan) {
  const double needed = plan.work_bytes + plan.output_bytes;
  if (plan.free_bytes > 0 && needed > kFullDisk * static_cast<double>(plan.free_bytes)) {
    plan.advice.push_back(fmt::format("--out on another disk: {} has {} free, and the run needs {}",
                                      options.run.output.out, bytes_text(static_cast<double>(plan.free_bytes)),
                                      bytes_text(needed)));
  }
  const double evidence = bytes_of(plan, "matches.jsonl");
  if (evidence > std::max(kWorthSavingBytes, kLargeShare * plan.output_bytes)) {
    plan.advice.push_back(
        fmt::format("--no-evidence leaves out matches.jsonl, which would take {} and most of the stage 'tables'",
                    bytes_text(evidence)));
  }
}

void advise_threads(PlanOutcome& plan) {
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  if (plan.threads < processors) {
    plan.advice.push_back(
        fmt::format("--threads {}: this machine has more processors than {}", processors, plan.threads));
  }
}

void advise_sample(PlanOutcome& plan) {
  const PlannedRange& share = plan.removed_share;
  if (share.upper - share.lower <= kWideInterval || plan.larger_samples.empty()) return;
  const auto better =
      std::find_if(plan.larger_samples.begin(), plan.larger_samples.end(), [&](const PlannedSample& sample) {
        return sample.removed_share.upper - sample.removed_share.lower < (share.upper - share.lower) / 2;
      });
  const PlannedSample& sample = better != plan.larger_samples.end() ? *better : plan.larger_samples.back();
  plan.advice.push_back(fmt::format(
      "--sample {} would give the share of copies within about {:.0f} points instead of {:.0f}", sample.pages,
      100 * (sample.removed_share.upper - sample.removed_share.lower), 100 * (share.upper - share.lower)));
}

}  // namespace

void add_advice(const PlanOptions& options, PlanOutcome& plan) {
  if (plan.sampled_pages == 0) {
    plan.notes.emplace_back("no page was found, so nothing is planned");
    return;
  }
  advise_memory(plan);
  advise_disk(options, plan);
  advise_threads(plan);
  advise_sample(plan);
  if (plan.pages.estimate > kSparkPages) {
    plan.notes.emplace_back("the driver of a Spark job suits some ten million pages; these are more");
  }
  if (options.run.match.align_words || options.run.profile.algorithm != "paragraph") {
    plan.notes.emplace_back("the model of times and memory is that of the paragraph method");
  }
  if (!options.run.survivors.never.empty() || !options.run.survivors.always.empty()) {
    plan.notes.emplace_back("pairs that people judged (never, always) are not in the plan");
  }
}

}  // namespace paraprint::inline plan
