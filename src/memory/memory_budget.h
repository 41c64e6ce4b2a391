// What a run may keep resident: a target for the process, and the arrays that give memory back when it is reached.
//
// Small runs never touch the disk: arrays on a budget (spill_array.h) begin in ordinary memory. Who goes over many rows
// calls tick() now and then. When the process nears the target, the budget first drops the resident pages of arrays
// that already live in files (their content stays, in the file and as long as possible in the system's cache), then
// moves the largest of the others into files of their own, and gives freed memory of the heap back.
//
// The resident size is Linux's (/proc/self/statm). Where there is none nothing spills.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "paraprint/result.h"

namespace paraprint {

class SpillRegion;

// Threads: tick() and checkpoint() may be called from any, as long as no other thread writes an array of this budget;
// threads that read arrays meanwhile are not disturbed. Must outlive its arrays.
class MemoryBudget {
 public:
  // Files are made in `spill_folder` when they are needed. `resident_bytes` replaces the system's answer, for tests.
  MemoryBudget(std::uint64_t target_bytes, std::string spill_folder,
               std::function<std::uint64_t()> resident_bytes = nullptr);
  ~MemoryBudget();
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  std::uint64_t target_bytes() const { return target_bytes_; }
  const std::string& spill_folder() const { return spill_folder_; }

  // Looks at the resident size once in so many calls that the rows touched between can't pass the target: one call for
  // each row or two that are touched at random, or for each few hundred bytes written. Some nanoseconds.
  void tick() {
    if (--ticks_left_ == 0) checkpoint();
  }
  // Looks now, about a microsecond, and makes room if there is need.
  void checkpoint();
  // Makes room for so many bytes of other memory: before work that does not tick, or on many threads.
  void make_room_for(std::uint64_t bytes);
  // The heap's free pages go back to the system: after a stage that took much and left little.
  void trim();

  // The first error of a move into a file that a checkpoint made; memory is then no longer bounded, and nothing is
  // lost. To be asked at the end of a stage.
  Status status() const;

  std::uint64_t bytes_spilled() const { return bytes_spilled_; }

 private:
  friend class SpillRegion;

  void add(SpillRegion& region);
  void remove(SpillRegion& region);
  void replace(SpillRegion& from, SpillRegion& to);
  void make_room(std::uint64_t high_bytes);
  std::uint64_t resident_bytes() const;

  const std::uint64_t target_bytes_;
  const std::string spill_folder_;
  std::function<std::uint64_t()> resident_bytes_;
  int statistics_descriptor_ = -1;
  std::uint64_t high_bytes_ = 0;                  // room is made above this
  std::atomic<std::uint64_t> trigger_bytes_ = 0;  // the same, or more when the rest of the process leaves no room
  std::atomic<std::uint64_t> bytes_spilled_ = 0;
  mutable std::mutex mutex_;  // guards all below
  std::vector<SpillRegion*> regions_;
  Status status_;

  static thread_local std::uint32_t ticks_left_;
};

// For code that may run without a budget.
inline void tick(MemoryBudget* budget) {
  if (budget != nullptr) budget->tick();
}

}  // namespace paraprint
