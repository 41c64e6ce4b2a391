// Stages follow each other without gaps, so their times add up to the whole. Processor time is that of the process, all
// threads included. Peak memory is cumulative: the high-water mark up to the end of the stage, not within it.
#include "report/stage_clock.h"

#include <sys/resource.h>

#include "memory/memory_meter.h"

namespace paraprint::inline report {
namespace {

// User and system time of all threads of the process.
double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double seconds_between(std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

StageClock::StageClock()
    : begin_(std::chrono::steady_clock::now()), stage_begin_(begin_), stage_begin_cpu_seconds_(cpu_seconds()) {}

void StageClock::end_stage(std::string_view name, std::uint64_t items, std::string_view unit) {
  const auto now = std::chrono::steady_clock::now();
  const double cpu = cpu_seconds();
  StageTime stage;
  stage.name = name;
  stage.seconds = seconds_between(stage_begin_, now);
  stage.cpu_seconds = cpu - stage_begin_cpu_seconds_;
  stage.items = items;
  stage.unit = unit;
  stage.peak_memory_bytes = process_peak_bytes();
  timing_.stages.push_back(std::move(stage));
  timing_.seconds = seconds_between(begin_, now);
  timing_.peak_memory_bytes = process_peak_bytes();
  stage_begin_ = now;
  stage_begin_cpu_seconds_ = cpu;
}

// The settings and figures that may differ from run to run are written here, so that summary.json is reproducible.
Status StageClock::write(const std::string& path, unsigned threads, const MemoryBudget& budget) const {
  Timing timing = timing_;
  timing.resources = {{"threads", std::uint64_t{threads}, ""},
                      {"memory_target_bytes", budget.target_bytes(), ""},
                      {"tables_spilled_bytes", budget.bytes_spilled(), ""}};
  return write_timing(path, timing);
}

}  // namespace paraprint::inline report
