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

namespace paraprint {
namespace {

// Room is made this far below the target: what comes between two looks, and what threads do that do not look.
constexpr std::uint64_t kMarginShare = 8;
constexpr std::uint64_t kSmallestMarginBytes = std::uint64_t{2} << 20;
constexpr std::uint64_t kLargestMarginBytes = std::uint64_t{64} << 20;

// Room is made down to this share of where it begins, or it would be made all the time.
constexpr double kLowShare = 0.75;

// How much more has to become resident before it is tried again to make room where there was none.
constexpr std::uint64_t kBackOffBytes = std::uint64_t{2} << 20;

// Moving less than this is not worth a file.
constexpr std::size_t kSmallestMoveBytes = std::size_t{256} << 10;

// What one tick may make resident: a read of a file that is mapped brings 64 KiB in ("fault-around"), on two threads.
constexpr std::uint64_t kTickBytes = std::uint64_t{128} << 10;
constexpr std::uint64_t kFewestTicks = 16;
constexpr std::uint64_t kMostTicks = 4096;

}  // namespace

thread_local std::uint32_t MemoryBudget::ticks_left_ = 1;

MemoryBudget::MemoryBudget(std::uint64_t target_bytes, std::string spill_folder,
                           std::function<std::uint64_t()> resident_bytes)
    : target_bytes_(target_bytes), spill_folder_(std::move(spill_folder)), resident_bytes_(std::move(resident_bytes)) {
  const std::uint64_t margin = std::clamp(target_bytes / kMarginShare, kSmallestMarginBytes, kLargestMarginBytes);
  high_bytes_ = target_bytes - std::min(target_bytes, margin);
  trigger_bytes_ = high_bytes_;
  ticks_left_ = 1;  // what is left of another budget's says nothing here
  if (!resident_bytes_) statistics_descriptor_ = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
}

MemoryBudget::~MemoryBudget() {
  PARAPRINT_ASSERT(regions_.empty());
  if (statistics_descriptor_ >= 0) ::close(statistics_descriptor_);
}

std::uint64_t MemoryBudget::resident_bytes() const {
  if (resident_bytes_) return resident_bytes_();
  // "size resident shared ...", in pages.
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

void MemoryBudget::checkpoint() {
  std::uint64_t resident = resident_bytes();
  if (resident > trigger_bytes_) {
    make_room(high_bytes_);
    resident = resident_bytes();
  } else if (resident <= high_bytes_) {
    trigger_bytes_ = high_bytes_;
  }
  const std::uint64_t trigger = trigger_bytes_;
  const std::uint64_t left = trigger > resident ? trigger - resident : 0;
  ticks_left_ = static_cast<std::uint32_t>(std::clamp(left / kTickBytes, kFewestTicks, kMostTicks));
}

void MemoryBudget::make_room_for(std::uint64_t bytes) {
  const std::uint64_t high_bytes = high_bytes_ - std::min(high_bytes_, bytes);
  if (resident_bytes() > high_bytes) make_room(high_bytes);
}

void MemoryBudget::make_room(std::uint64_t high_bytes) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;  // another thread is at it
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
    if (resident <= low_bytes || !status_) break;
    status_ = region->move_to_file();
    if (!status_) break;
    bytes_spilled_ += region->used_bytes();
    region->drop_resident();
    resident = resident_bytes();
  }
  // When the rest of the process fills the target, dropping pages at every step would only cost time.
  trigger_bytes_ = std::max(high_bytes_, resident + kBackOffBytes);
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

void MemoryBudget::replace(SpillRegion& from, SpillRegion& to) {
  const std::lock_guard lock(mutex_);
  std::replace(regions_.begin(), regions_.end(), &from, &to);
}

}  // namespace paraprint
