// RocksDB has a lock of its own, but it covers neither the search tables nor readers.
#include "online/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <utility>

#include "base/propagate.h"
#include "base/system_error.h"

namespace paraprint::inline online {
namespace {

std::string lock_path(const std::string& folder) {
  return folder + "/lock";
}

tl::unexpected<Error> system_failure(std::string_view action, const std::string& path, int error_number) {
  return tl::unexpected<Error>(system_error(action, path, error_number));
}

// The message of an index that another process has open. Whether that one only reads shows in that others may, too.
tl::unexpected<Error> in_use(const std::string& folder, int descriptor) {
  if (::flock(descriptor, LOCK_SH | LOCK_NB) == 0) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("the index {} is being read by other processes (--read-only without a snapshot); it can "
                               "be changed when they have ended",
                               folder));
  }
  std::ifstream file(lock_path(folder));
  std::string process;
  std::getline(file, process);
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("the index {} is open in another process (pid {}); only one process may open it at a time",
                             folder, process.empty() ? "unknown" : process));
}

}  // namespace

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  (void)::flock(descriptor_, LOCK_UN);  // closing alone would leave the folder locked while a forked process lives
  ::close(descriptor_);
}

Result<FolderLock> FolderLock::exclusive(const std::string& folder) {
  const std::string path = lock_path(folder);
  FolderLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (lock.descriptor_ < 0) return system_failure("open", path, errno);
  if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return system_failure("lock", path, errno);
    return in_use(folder, lock.descriptor_);
  }
  const std::string process = fmt::format("{}\n", ::getpid());
  if (::ftruncate(lock.descriptor_, 0) != 0 || ::write(lock.descriptor_, process.data(), process.size()) < 0) {
    return system_failure("write", path, errno);
  }
  return lock;
}

// A snapshot may be removed between opening the file and locking it: then its name no longer means the locked file.
Result<FolderLock> FolderLock::shared(const std::string& folder) {
  const std::string path = lock_path(folder);
  FolderLock lock(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (lock.descriptor_ < 0) {
    if (errno != ENOENT) return system_failure("open", path, errno);
    struct stat there {};
    if (::stat(folder.c_str(), &there) != 0) return system_failure("open", folder, errno);
    return lock;
  }
  if (::flock(lock.descriptor_, LOCK_SH | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return system_failure("lock", path, errno);
    return in_use(folder, lock.descriptor_);
  }
  struct stat locked {};
  struct stat named {};
  if (::fstat(lock.descriptor_, &locked) != 0) return system_failure("read", path, errno);
  if (::stat(path.c_str(), &named) != 0) return system_failure("open", path, errno);
  if (locked.st_dev == named.st_dev && locked.st_ino == named.st_ino) return lock;
  return system_failure("open", path, ENOENT);
}

Result<std::optional<FolderLock>> FolderLock::for_removal(const std::string& folder) {
  const std::string path = lock_path(folder);
  FolderLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (lock.descriptor_ < 0) return system_failure("open", path, errno);
  if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) == 0) return std::optional<FolderLock>(std::move(lock));
  if (errno != EWOULDBLOCK) return system_failure("lock", path, errno);
  return std::optional<FolderLock>();
}

}  // namespace paraprint::inline online
