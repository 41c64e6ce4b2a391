#include "memory/spill_region.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "base/assert.h"
#include "base/system_error.h"
#include "memory/memory_budget.h"
#include "memory/temporary_file.h"

namespace paraprint {
namespace {

constexpr std::size_t kPageBytes = 4096;                        // a multiple of it on every system we know
constexpr std::size_t kFirstBytes = std::size_t{64} << 10;      // untouched pages cost nothing
constexpr std::size_t kFileExtentBytes = std::size_t{1} << 20;  // files grow by at least this, or a quarter

// Moved in pieces, because the system keeps what is written at once as one unit of its cache and, on a later touch of
// any byte, makes all of it resident.
constexpr std::size_t kWriteBytes = std::size_t{64} << 10;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// The system's page size, which mappings have to be multiples of.
std::size_t page_bytes() {
  static const auto bytes = std::max(kPageBytes, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
  return bytes;
}

tl::unexpected<Error> no_memory() {
  return failure(ErrorCode::kLimitExceeded, "out of memory: the system gives no more addresses to this process");
}

Result<int> make_file(const std::string& folder, std::size_t size_bytes) {
  Result<int> descriptor = open_nameless_file(folder);
  if (!descriptor) return descriptor;
  if (const int failed = ::posix_fallocate(*descriptor, 0, static_cast<off_t>(size_bytes)); failed != 0) {
    ::close(*descriptor);
    return tl::unexpected<Error>(system_error("write a temporary file in", folder, failed));
  }
  return descriptor;
}

// Puts the file where the memory was. The kernel does that in one step, so a thread that reads meanwhile finds the one
// or the other, which hold the same bytes. Called directly, because the thread sanitizer takes mmap for a write to all
// of the range, and such readers for races.
void* replace_mapping(void* data, std::size_t size_bytes, int descriptor) {
  const long mapped =
      ::syscall(SYS_mmap, data, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0);
  return mapped == -1 ? MAP_FAILED : data;
}

}  // namespace

SpillRegion::SpillRegion(MemoryBudget* budget) : budget_(budget) {
  if (budget_ != nullptr) budget_->add(*this);
}

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

Status SpillRegion::grow_memory(std::size_t size_bytes) {
  const std::size_t wanted = round_up(std::max({size_bytes, kFirstBytes, capacity_bytes_ * 2}), page_bytes());
  void* grown = data_ == nullptr ? ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                 : ::mremap(data_, capacity_bytes_, wanted, MREMAP_MAYMOVE);
  if (grown == MAP_FAILED) return no_memory();
  data_ = static_cast<std::byte*>(grown);
  capacity_bytes_ = wanted;
  return {};
}

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
  // What is behind the used part was never written, or no longer matters: the file need not have it.
  const std::size_t kept_bytes = round_up(std::max(used_bytes_, std::size_t{1}), page_bytes());
  const std::string& folder = budget_->spill_folder();
  const Result<int> file = make_file(folder, kept_bytes);
  if (!file) return tl::unexpected<Error>(file.error());
  for (std::size_t done = 0; done < used_bytes_;) {
    const std::size_t piece = std::min(kWriteBytes, used_bytes_ - done);
    const ssize_t wrote = ::pwrite(*file, data_ + done, piece, static_cast<off_t>(done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      const int failed = wrote < 0 ? errno : ENOSPC;
      ::close(*file);
      return tl::unexpected<Error>(system_error("write a temporary file in", folder, failed));
    }
    done += static_cast<std::size_t>(wrote);
  }
  void* mapped = replace_mapping(data_, kept_bytes, *file);
  if (mapped == MAP_FAILED) {
    ::close(*file);
    return no_memory();
  }
  if (kept_bytes < capacity_bytes_) ::munmap(data_ + kept_bytes, capacity_bytes_ - kept_bytes);
  capacity_bytes_ = kept_bytes;
  descriptor_ = *file;
  return {};
}

void SpillRegion::drop_resident() {
  if (is_in_file()) ::madvise(data_, capacity_bytes_, MADV_DONTNEED);
}

}  // namespace paraprint
