// RocksDB has a lock of its own, but it covers neither the search tables nor readers.
#include "online/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

// Nothing outside of the folder may be created, locked or written by way of its lock, so a link is not followed.
// Opening a pipe would wait for its other end.
int open_lock_file(const std::string& path, int flags) {
  return ::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
}

tl::unexpected<Error> not_a_lock(const std::string& path) {
  return failure(ErrorCode::kUnsupported,
                 fmt::format("{} is not the lock of an index; move it away, or choose another folder", path));
}

// Why open_lock_file() has failed.
tl::unexpected<Error> not_opened(const std::string& path, int error_number) {
  if (error_number == ELOOP) return not_a_lock(path);
  return system_failure("open", path, error_number);
}

Status check_is_file(const std::string& path, int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return system_failure("read", path, errno);
  if (S_ISREG(status.st_mode)) return {};
  return not_a_lock(path);
}

// A file with any other content than a process id is somebody's, in a folder without an index. A power cut may leave
// zeros.
Status check_is_ours(const std::string& path, int descriptor) {
  std::array<char, 32> content{};
  const ssize_t size = ::pread(descriptor, content.data(), content.size(), 0);
  if (size < 0) return system_failure("read", path, errno);
  const bool is_number = std::all_of(content.begin(), content.begin() + size,
                                     [](char c) { return (c >= '0' && c <= '9') || c == '\n' || c == '\0'; });
  if (is_number && static_cast<std::size_t>(size) < content.size()) return {};
  return not_a_lock(path);
}

// Whether the name still means the opened file, which may have been removed before it was locked.
Result<bool> is_still_named(const std::string& path, int descriptor) {
  struct stat opened {};
  struct stat named {};
  if (::fstat(descriptor, &opened) != 0) return system_failure("read", path, errno);
  if (::lstat(path.c_str(), &named) != 0) {
    if (errno == ENOENT) return false;
    return system_failure("open", path, errno);
  }
  return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
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

Result<FolderLock> FolderLock::open_file(const std::string& path, int flags) {
  FolderLock lock(open_lock_file(path, flags));
  if (lock.descriptor_ < 0) return not_opened(path, errno);
  PARAPRINT_TRY(check_is_file(path, lock.descriptor_));
  return lock;
}

Result<bool> FolderLock::try_lock(const std::string& path, int operation) const {
  if (::flock(descriptor_, operation | LOCK_NB) == 0) return true;
  if (errno != EWOULDBLOCK) return system_failure("lock", path, errno);
  return false;
}

Result<FolderLock> FolderLock::exclusive(const std::string& folder) {
  const std::string path = lock_path(folder);
  PARAPRINT_ASSIGN(FolderLock lock, open_file(path, O_RDWR | O_CREAT));
  PARAPRINT_ASSIGN(const bool is_locked, lock.try_lock(path, LOCK_EX));
  if (!is_locked) return in_use(folder, lock.descriptor_);
  PARAPRINT_TRY(check_is_ours(path, lock.descriptor_));
  const std::string process = fmt::format("{}\n", ::getpid());
  if (::ftruncate(lock.descriptor_, 0) != 0 || ::write(lock.descriptor_, process.data(), process.size()) < 0) {
    return system_failure("write", path, errno);
  }
  return lock;
}

// A snapshot may be removed between opening the file and locking it: then its name no longer means the locked file.
Result<FolderLock> FolderLock::shared(const std::string& folder) {
  const std::string path = lock_path(folder);
  Result<FolderLock> lock = open_file(path, O_RDONLY);
  if (!lock) {
    if (lock.error().code != ErrorCode::kNotFound) return lock;
    struct stat there {};
    if (::stat(folder.c_str(), &there) != 0) return system_failure("open", folder, errno);
    return FolderLock();
  }
  PARAPRINT_ASSIGN(const bool is_locked, lock->try_lock(path, LOCK_SH));
  if (!is_locked) return in_use(folder, lock->descriptor_);
  PARAPRINT_ASSIGN(const bool is_named, is_still_named(path, lock->descriptor_));
  if (!is_named) return system_failure("open", path, ENOENT);
  return lock;
}

Result<std::optional<FolderLock>> FolderLock::for_removal(const std::string& folder) {
  const std::string path = lock_path(folder);
  PARAPRINT_ASSIGN(FolderLock lock, open_file(path, O_RDWR | O_CREAT));
  PARAPRINT_ASSIGN(const bool is_locked, lock.try_lock(path, LOCK_EX));
  if (!is_locked) return std::optional<FolderLock>();
  return std::optional<FolderLock>(std::move(lock));
}

Result<std::optional<FolderLock>> FolderLock::for_copying(const std::string& folder) {
  const std::string path = fmt::format("{}/{}", folder, kCopyingFile);
  PARAPRINT_ASSIGN(FolderLock lock, open_file(path, O_RDWR | O_CREAT));
  PARAPRINT_ASSIGN(const bool is_locked, lock.try_lock(path, LOCK_EX));
  if (!is_locked) return std::optional<FolderLock>();
  PARAPRINT_ASSIGN(const bool is_named, is_still_named(path, lock.descriptor_));
  if (!is_named) return std::optional<FolderLock>();  // the other copy has just ended
  return std::optional<FolderLock>(std::move(lock));
}

}  // namespace paraprint::inline online
