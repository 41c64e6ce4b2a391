// Linux only: relies on mremap to grow without copying, and on MAP_FIXED to exchange memory for a file in place. Blocks
// are always allocated with posix_fallocate before they are mapped, because writing to a hole of a mapped file on a
// full disk raises SIGBUS.
#include "memory/spill_region.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "base/assert.h"
#include "base/propagate.h"
#include "base/system_error.h"
#include "memory/memory_budget.h"
#include "memory/temporary_file.h"

namespace paraprint::inline memory {
namespace {

constexpr std::size_t kPageBytes = 4096;                        // minimum; other systems use multiples of it
constexpr std::size_t kFirstBytes = std::size_t{64} << 10;      // untouched pages cost nothing
constexpr std::size_t kFileExtentBytes = std::size_t{1} << 20;  // files grow by at least this, or a quarter

// Written in chunks of this size, because the system caches a large write as one unit (a large folio) and makes all of
// it resident when any byte is touched later.
constexpr std::size_t kSpillWriteBytes = std::size_t{64} << 10;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// The system's page size; mappings must be multiples of it.
std::size_t page_bytes() {
  static const auto bytes = std::max(kPageBytes, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
  return bytes;
}

tl::unexpected<Error> no_memory() {
  return failure(ErrorCode::kLimitExceeded, "out of memory: the system cannot map more memory for this process");
}

Result<int> make_file(const std::string& folder, std::size_t size_bytes) {
  Result<int> descriptor = open_nameless_file(folder);
  PARAPRINT_TRY(descriptor);
  if (const int failed = ::posix_fallocate(*descriptor, 0, static_cast<off_t>(size_bytes)); failed != 0) {
    ::close(*descriptor);
    return tl::unexpected<Error>(system_error("write a temporary file in", folder, failed));
  }
  return descriptor;
}

// Replaces the memory by the file. The kernel does so atomically, so concurrent readers see one or the other, which
// hold the same bytes. Calls the kernel directly, because the thread sanitizer treats mmap() as a write to the whole
// range and would report such readers as races.
void* replace_mapping(void* data, std::size_t size_bytes, int descriptor) {
  const long mapped =
      ::syscall(SYS_mmap, data, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0);
  return mapped == -1 ? MAP_FAILED : data;
}

}  // namespace

SpillRegion::SpillRegion(MemoryBudget* budget) : budget_(budget) {
  if (budget_ != nullptr) budget_->add(*this);
}

// The budget refers to regions by address, so every move must tell it the new one.
SpillRegion::SpillRegion(SpillRegion&& other) noexcept
    : budget_(std::exchange(other.budget_, nullptr)),
      data_(std::exchange(other.data_, nullptr)),
      capacity_bytes_(std::exchange(other.capacity_bytes_, 0)),
      used_bytes_(std::exchange(other.used_bytes_, 0)),
      descriptor_(std::exchange(other.descriptor_, -1)) {
  if (budget_ != nullptr) budget_->replace(other, *this);
}

SpillRegion& SpillRegion::operator=(SpillRegion&& other) noexcept {
  if (this == &other) return *this;
  release();
  if (budget_ != nullptr) budget_->remove(*this);
  budget_ = std::exchange(other.budget_, nullptr);
  data_ = std::exchange(other.data_, nullptr);
  capacity_bytes_ = std::exchange(other.capacity_bytes_, 0);
  used_bytes_ = std::exchange(other.used_bytes_, 0);
  descriptor_ = std::exchange(other.descriptor_, -1);
  if (budget_ != nullptr) budget_->replace(other, *this);
  return *this;
}

SpillRegion::~SpillRegion() {
  release();
  if (budget_ != nullptr) budget_->remove(*this);
}

void SpillRegion::release() {
  if (data_ != nullptr) ::munmap(data_, capacity_bytes_);
  if (descriptor_ >= 0) ::close(descriptor_);
  data_ = nullptr;
  capacity_bytes_ = 0;
  used_bytes_ = 0;
  descriptor_ = -1;
}

Status SpillRegion::reserve(std::size_t size_bytes) {
  if (size_bytes <= capacity_bytes_) return {};
  return is_in_file() ? grow_file(size_bytes) : grow_memory(size_bytes);
}

// Doubles, so that growing row by row is linear. mremap moves page table entries instead of bytes.
Status SpillRegion::grow_memory(std::size_t size_bytes) {
  const std::size_t wanted = round_up(std::max({size_bytes, kFirstBytes, capacity_bytes_ * 2}), page_bytes());
  void* grown = data_ == nullptr ? ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                 : ::mremap(data_, capacity_bytes_, wanted, MREMAP_MAYMOVE);
  if (grown == MAP_FAILED) return no_memory();
  data_ = static_cast<std::byte*>(grown);
  capacity_bytes_ = wanted;
  return {};
}

// Grows by a quarter only: doubling would claim disk space that is never used.
Status SpillRegion::grow_file(std::size_t size_bytes) {
  const std::size_t wanted = round_up(
      std::max({size_bytes, capacity_bytes_ + kFileExtentBytes, capacity_bytes_ + capacity_bytes_ / 4}), page_bytes());
  const int failed =
      ::posix_fallocate(descriptor_, static_cast<off_t>(capacity_bytes_), static_cast<off_t>(wanted - capacity_bytes_));
  if (failed != 0) {
    return tl::unexpected<Error>(system_error("write a temporary file in", budget_->spill_folder(), failed));
  }
  void* grown = ::mremap(data_, capacity_bytes_, wanted, MREMAP_MAYMOVE);
  if (grown == MAP_FAILED) return no_memory();
  data_ = static_cast<std::byte*>(grown);
  capacity_bytes_ = wanted;
  return {};
}

Status SpillRegion::move_to_file() {
  PARAPRINT_ASSERT(budget_ != nullptr);
  if (is_in_file() || data_ == nullptr) return {};
  // Bytes after the used part were never written or no longer matter, so the file does not need them.
  // At least one page is kept, because an empty mapping is invalid.
  const std::size_t kept_bytes = round_up(std::max(used_bytes_, std::size_t{1}), page_bytes());
  const std::string& folder = budget_->spill_folder();
  PARAPRINT_ASSIGN(const int file, make_file(folder, kept_bytes));
  for (std::size_t done = 0; done < used_bytes_;) {
    // pwrite rather than a copy into a mapping, which would make both copies count as resident.
    const std::size_t piece = std::min(kSpillWriteBytes, used_bytes_ - done);
    const ssize_t wrote = ::pwrite(file, data_ + done, piece, static_cast<off_t>(done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      const int failed = wrote < 0 ? errno : ENOSPC;
      ::close(file);
      return tl::unexpected<Error>(system_error("write a temporary file in", folder, failed));
    }
    done += static_cast<std::size_t>(wrote);
  }
  // Until here a failure leaves the region in memory, unchanged.
  void* mapped = replace_mapping(data_, kept_bytes, file);
  if (mapped == MAP_FAILED) {
    ::close(file);
    return no_memory();
  }
  if (kept_bytes < capacity_bytes_) ::munmap(data_ + kept_bytes, capacity_bytes_ - kept_bytes);
  capacity_bytes_ = kept_bytes;
  descriptor_ = file;
  return {};
}

// MADV_DONTNEED loses no data here: the mapping is shared, so modified pages are in the file's cache.
void SpillRegion::drop_resident() {
  if (is_in_file()) ::madvise(data_, capacity_bytes_, MADV_DONTNEED);
}

}  // namespace paraprint::inline memory
