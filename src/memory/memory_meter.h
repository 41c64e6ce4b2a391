// Peak resident memory during a piece of work, as Linux accounts it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace paraprint::inline memory {

// Peak RSS of this process since exec(); 0 if unknown.
std::uint64_t process_peak_bytes();

// Present RSS of this process; 0 if unknown.
std::uint64_t process_resident_bytes();

// Only one meter may exist in a process at a time, because the high-water mark belongs to the process. Where the mark
// cannot be reset, a thread samples the resident size every few milliseconds instead and may miss short peaks.
class MemoryMeter {
 public:
  // Returns freed memory to the system, so that earlier work is not counted, and starts measuring.
  MemoryMeter();
  ~MemoryMeter();
  MemoryMeter(const MemoryMeter&) = delete;
  MemoryMeter& operator=(const MemoryMeter&) = delete;

  std::uint64_t baseline_bytes() const { return baseline_bytes_; }  // RSS at construction
  std::uint64_t peak_bytes() const;                                 // since then; 0 if unknown

  // Describes the measuring method in use. The first call probes it and resets any running meter.
  static std::string_view method();

 private:
  class Sampler;
  std::uint64_t baseline_bytes_ = 0;
  std::unique_ptr<Sampler> sampler_;
};

}  // namespace paraprint::inline memory
