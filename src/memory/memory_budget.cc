// A soft limit: between two checks the process may allocate freely, and memory outside the arrays is never moved. The
// constants below keep checks rare when memory is plentiful and effective when it is scarce.
#include "memory/memory_budget.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/assert.h"
#include "memory/spill_region.h"

namespace paraprint::inline memory {
namespace {

// Headroom below the target for allocations between two checks and in threads that never check: a sixth of the target
// within these bounds.
constexpr std::uint64_t kMarginShare = 6;
constexpr std::uint64_t kSmallestMarginBytes = std::uint64_t{2} << 20;
constexpr std::uint64_t kLargestMarginBytes = std::uint64_t{64} << 20;

// Making room continues down to this share of the level at which it starts. Otherwise every check would make room.
constexpr double kLowShare = 0.75;

// Growth of the resident size before another attempt, if the last one could not make enough room: a sixteenth of what
// is left, but at least this. With less, what was dropped would be touched and dropped again and again.
constexpr std::uint64_t kLeastBackOffBytes = std::uint64_t{2} << 20;
constexpr std::uint64_t kBackOffShare = 16;

// Smaller arrays are not worth a file.
constexpr std::size_t kSmallestMoveBytes = std::size_t{256} << 10;

// Memory that may become resident per tick: a page fault in a mapped file brings in 64 KiB ("fault-around"), on two
// threads. Checks are at least 64 ticks apart to keep them cheap, and at most 4096 in case other memory grows.
constexpr std::uint64_t kTickBytes = std::uint64_t{128} << 10;
constexpr std::uint64_t kFewestTicks = 64;
constexpr std::uint64_t kMostTicks = 4096;

// A loop whose ticks brought in less since the last check is expected to bring in at most kTrust times as much until
// the next one. If it brings in kTickBytes nevertheless, that takes half of the margin at most. Without this, a process
// that stays just below its trigger would be checked at every 64 ticks, which took a twentieth of the time of a run.
constexpr std::uint64_t kTrust = 8;
constexpr std::uint64_t kLeastTickBytes = 1024;

}  // namespace

thread_local std::uint32_t MemoryBudget::ticks_left_ = 1;
thread_local MemoryBudget::Check MemoryBudget::last_check_;

MemoryBudget::MemoryBudget(std::uint64_t target_bytes, std::string spill_folder,
                           std::function<std::uint64_t()> resident_bytes)
    : target_bytes_(target_bytes), spill_folder_(std::move(spill_folder)), resident_bytes_(std::move(resident_bytes)) {
  margin_bytes_ = std::clamp(target_bytes / kMarginShare, kSmallestMarginBytes, kLargestMarginBytes);
  high_bytes_ = target_bytes - std::min(target_bytes, margin_bytes_);
  trigger_bytes_ = high_bytes_;
  ticks_left_ = 1;  // the counter is per thread and may be left over from another budget
  last_check_ = {};
  if (!resident_bytes_) statistics_descriptor_ = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
}

MemoryBudget::~MemoryBudget() {
  PARAPRINT_ASSERT(regions_.empty());
  if (statistics_descriptor_ >= 0) ::close(statistics_descriptor_);
}

std::uint64_t MemoryBudget::resident_bytes() const {
  if (resident_bytes_) return resident_bytes_();
  // The file contains "size resident shared ...", in pages. Opening it costs more than reading.
  std::array<char, 64> text{};
  const ssize_t got = statistics_descriptor_ < 0 ? -1 : ::pread(statistics_descriptor_, text.data(), text.size(), 0);
  if (got <= 0) return 0;
  const char* const end = text.data() + got;
  const char* const space = std::find(text.data(), text.data() + got, ' ');
  std::uint64_t pages = 0;
  if (space != end) std::from_chars(space + 1, end, pages);
  static const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return pages * page_bytes;
}

// Makes room if needed, then sets the number of ticks until the next check from the distance to the trigger and from
// what the ticks since the last check brought in.
void MemoryBudget::checkpoint() {
  std::uint64_t resident = resident_bytes();
  std::uint64_t tick_bytes = kTickBytes;
  if (last_check_.ticks > ticks_left_) {
    const std::uint64_t grown_bytes = resident - std::min(resident, last_check_.resident_bytes);
    tick_bytes = std::clamp(kTrust * grown_bytes / (last_check_.ticks - ticks_left_), kLeastTickBytes, kTickBytes);
  }
  if (resident > trigger_bytes_) {
    make_room(high_bytes_);
    resident = resident_bytes();
  } else if (resident <= high_bytes_) {  // there is room again: stop backing off
    trigger_bytes_ = high_bytes_;
  }
  const std::uint64_t trigger = trigger_bytes_;
  const std::uint64_t left = trigger > resident ? trigger - resident : 0;
  const std::uint64_t most = std::clamp((left + margin_bytes_ / 2) / kTickBytes, kFewestTicks, kMostTicks);
  ticks_left_ = static_cast<std::uint32_t>(std::clamp(left / tick_bytes, kFewestTicks, most));
  last_check_ = {ticks_left_, resident};
}

// Lowers the level for this call only; back-off does not apply, because the caller is about to allocate.
void MemoryBudget::make_room_for(std::uint64_t bytes) {
  const std::uint64_t high_bytes = high_bytes_ - std::min(high_bytes_, bytes);
  if (resident_bytes() > high_bytes) make_room(high_bytes);
}

// In order of cost: drop pages that are already in files, return free heap memory, then write arrays to disk, largest
// first, so that few files are needed.
void MemoryBudget::make_room(std::uint64_t high_bytes) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;  // another thread is already making room
  for (SpillRegion* region : regions_) region->drop_resident();
  const auto low_bytes = static_cast<std::uint64_t>(static_cast<double>(high_bytes) * kLowShare);
  std::uint64_t resident = resident_bytes();
  if (resident > low_bytes) {
    malloc_trim(0);
    resident = resident_bytes();
  }
  std::vector<SpillRegion*> in_memory;
  for (SpillRegion* region : regions_) {
    if (!region->is_in_file() && region->used_bytes() >= kSmallestMoveBytes) in_memory.push_back(region);
  }
  std::sort(in_memory.begin(), in_memory.end(),
            [](const SpillRegion* x, const SpillRegion* y) { return x->used_bytes() > y->used_bytes(); });
  for (SpillRegion* region : in_memory) {
    // After a failed move (a full disk) no further ones are tried.
    if (resident <= low_bytes || !status_) break;
    status_ = region->move_to_file();
    if (!status_) break;
    bytes_spilled_ += region->used_bytes();
    region->drop_resident();
    resident = resident_bytes();
  }
  // If the rest of the process alone exceeds the target, dropping pages at every check would only cost time.
  trigger_bytes_ = std::max(high_bytes_, resident + std::max(kLeastBackOffBytes, resident / kBackOffShare));
}

void MemoryBudget::trim() {
  malloc_trim(0);
  checkpoint();
}

Status MemoryBudget::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void MemoryBudget::add(SpillRegion& region) {
  const std::lock_guard lock(mutex_);
  regions_.push_back(&region);
}

void MemoryBudget::remove(SpillRegion& region) {
  const std::lock_guard lock(mutex_);
  std::erase(regions_, &region);
}

// Regions are registered by address, which changes when they are moved.
void MemoryBudget::replace(SpillRegion& from, SpillRegion& to) {
  const std::lock_guard lock(mutex_);
  std::replace(regions_.begin(), regions_.end(), &from, &to);
}

}  // namespace paraprint::inline memory
