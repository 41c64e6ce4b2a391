// A target for the resident size of the process, and the arrays that are moved to disk when it is reached.
//
// Small runs never touch the disk: arrays with a budget (spill_array.h) start in ordinary memory. Loops over many rows
// call tick(). When the process nears the target, the budget drops the resident pages of arrays that are already in
// files (the system's cache may still hold them), returns free heap memory to the system, and moves the largest of the
// remaining arrays to files.
//
// The resident size comes from Linux (/proc/self/statm). If it is unavailable, nothing is spilled.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "paraprint/result.h"

namespace paraprint::inline memory {

class SpillRegion;

// Threads: tick() and checkpoint() may be called from any thread while no other thread writes to an array of this
// budget; concurrent reads are safe. Must outlive its arrays.
class MemoryBudget {
 public:
  // Files are created in `spill_folder` on demand. `resident_bytes` replaces the measured resident size, for tests.
  MemoryBudget(std::uint64_t target_bytes, std::string spill_folder,
               std::function<std::uint64_t()> resident_bytes = nullptr);
  ~MemoryBudget();
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  std::uint64_t target_bytes() const { return target_bytes_; }
  const std::string& spill_folder() const { return spill_folder_; }

  // Checks the resident size every few calls, so often that the memory touched in between cannot exceed the target.
  // Call it once per row or two touched at random, or per few hundred bytes written. Costs a few nanoseconds.
  void tick() {
    if (--ticks_left_ == 0) checkpoint();
  }
  // Checks now and makes room if needed. Costs about a microsecond.
  void checkpoint();
  // Makes room for this many bytes of other memory: before work that does not call tick(), or that uses many threads.
  void make_room_for(std::uint64_t bytes);
  // Returns free heap pages to the system, after a stage that used much memory and kept little.
  void trim();

  // The first error of moving an array to a file. Memory is then no longer bounded, but no data is lost. Check it at
  // the end of a stage.
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
  std::uint64_t margin_bytes_ = 0;                // headroom between high_bytes_ and the target
  std::uint64_t high_bytes_ = 0;                  // make room above this resident size
  std::atomic<std::uint64_t> trigger_bytes_ = 0;  // high_bytes_, or more if the rest of the process leaves no room
  std::atomic<std::uint64_t> bytes_spilled_ = 0;
  mutable std::mutex mutex_;  // guards all below
  std::vector<SpillRegion*> regions_;
  Status status_;

  // How long it takes until the next one, and what was resident after it.
  struct Check {
    std::uint32_t ticks = 0;
    std::uint64_t resident_bytes = 0;
  };

  static thread_local std::uint32_t ticks_left_;
  static thread_local Check last_check_;
};

// For code that may run without a budget.
inline void tick(MemoryBudget* budget) {
  if (budget != nullptr) budget->tick();
}

}  // namespace paraprint::inline memory
