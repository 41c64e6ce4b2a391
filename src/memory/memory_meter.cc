// Reads /proc/self/status. VmHWM is the kernel's own high-water mark of the resident size and misses nothing; resetting
// it needs a writable /proc/self/clear_refs, which some containers don't have, hence the sampling thread as a fallback.
// getrusage()'s ru_maxrss is not used: it survives exec() and can't be reset.
#include "memory/memory_meter.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "base/start_thread.h"

namespace paraprint::inline memory {
namespace {

// Short enough for the stages of an algorithm, long enough that reading /proc costs little next to the work measured.
constexpr std::chrono::milliseconds kSampleInterval{5};
// proc(5), clear_refs: "5" sets the high-water mark to the present resident size.
constexpr std::string_view kResetPeak = "5";

bool reset_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << kResetPeak;
  return static_cast<bool>(file.flush());
}

// The value of a line such as "VmHWM:    1234 kB" in /proc/self/status; 0 if there is none.
std::uint64_t status_bytes(std::string_view name) {
  std::ifstream file("/proc/self/status");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(name)) continue;
    const std::size_t begin = line.find_first_of("0123456789");
    std::uint64_t kibibytes = 0;
    if (begin != std::string::npos) std::from_chars(line.data() + begin, line.data() + line.size(), kibibytes);
    return kibibytes << 10;
  }
  return 0;
}

}  // namespace

std::uint64_t process_peak_bytes() {
  return status_bytes("VmHWM:");
}

std::uint64_t process_resident_bytes() {
  return status_bytes("VmRSS:");
}

class MemoryMeter::Sampler {
 public:
  Sampler() {
    // Without a thread, only the size at the time of peak_bytes() is seen.
    if (Result<std::thread> started = start_thread("samples memory", [this] { sample(); })) {
      thread_ = std::move(*started);
    }
  }
  ~Sampler() {
    stopped_ = true;
    if (thread_.joinable()) thread_.join();
  }
  std::uint64_t peak_bytes() const { return std::max(peak_bytes_.load(), status_bytes("VmRSS:")); }

 private:
  void sample() {
    while (!stopped_) {
      peak_bytes_ = std::max(peak_bytes_.load(), status_bytes("VmRSS:"));
      std::this_thread::sleep_for(kSampleInterval);
    }
  }
  std::atomic<std::uint64_t> peak_bytes_ = 0;
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
};

// malloc_trim() first: free pages of the heap would otherwise count as resident and hide the first growth of the work.
MemoryMeter::MemoryMeter() {
  malloc_trim(0);
  baseline_bytes_ = status_bytes("VmRSS:");
  if (!reset_peak()) sampler_ = std::make_unique<Sampler>();
}

MemoryMeter::~MemoryMeter() = default;

// In the sampled mode the present size is included, so that a short run without any sample is not reported as 0.
std::uint64_t MemoryMeter::peak_bytes() const {
  return sampler_ ? sampler_->peak_bytes() : process_peak_bytes();
}

std::string_view MemoryMeter::method() {
  static const bool can_reset = reset_peak();
  return can_reset ? "the kernel's high-water mark, reset before each algorithm"
                   : "resident size, sampled every 5 ms: the high-water mark can't be reset here";
}

}  // namespace paraprint::inline memory
