// Times and peak memory of the stages of a run. They are written to a file of their own (timing.json), because
// everything else that a run writes is reproducible.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "memory/memory_budget.h"
#include "paraprint/result.h"
#include "report/summary.h"

namespace paraprint::inline report {

class StageClock {
 public:
  StageClock();
  // Ends the stage that began with the previous call, or with construction.
  void end_stage(std::string_view name, std::uint64_t items, std::string_view unit);
  Status write(const std::string& path, unsigned threads, const MemoryBudget& budget) const;

 private:
  Timing timing_;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point stage_begin_;
  double stage_begin_cpu_seconds_ = 0;
};

}  // namespace paraprint::inline report
