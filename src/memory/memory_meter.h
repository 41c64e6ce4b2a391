// Peak resident memory of a stretch of work, as Linux counts it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace paraprint {

// Most that this process was ever resident with, without what it was before it became this program; 0 if unknown.
std::uint64_t process_peak_bytes();

// One at a time in a process: the high-water mark is the process's own. Where it can't be reset, a thread looks at the
// resident size every few milliseconds instead, and short peaks may be missed.
class MemoryMeter {
 public:
  // Gives freed memory back to the system, so that what ran before does not count, and begins anew.
  MemoryMeter();
  ~MemoryMeter();
  MemoryMeter(const MemoryMeter&) = delete;
  MemoryMeter& operator=(const MemoryMeter&) = delete;

  std::uint64_t baseline_bytes() const { return baseline_bytes_; }  // resident when the meter was made
  std::uint64_t peak_bytes() const;                                 // since then; 0 where the system does not say

  // A line about which of the two ways this process can go. The first call tries, which begins a running meter anew.
  static std::string_view method();

 private:
  class Sampler;
  std::uint64_t baseline_bytes_ = 0;
  std::unique_ptr<Sampler> sampler_;
};

}  // namespace paraprint
