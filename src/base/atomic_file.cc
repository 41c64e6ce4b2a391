// The sequence write, fsync, rename, fsync of the folder is what makes a rename atomic across a power failure: without
// the first fsync some file systems persist the new name before the data, which leaves an empty file.
#include "base/atomic_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include "base/assert.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "base/system_error.h"

namespace paraprint::inline base {
namespace {

// Large enough to make the cost of system calls negligible, small enough for dozens of open files.
constexpr std::size_t kBufferBytes = std::size_t{256} << 10;

constexpr std::size_t kReadBytes = std::size_t{64} << 10;

constexpr mode_t kFileMode = 0666;  // reduced by the umask

constexpr std::string_view kPartialEnding = ".partial";
constexpr std::size_t kNameBytesMaximum = 255;  // of most file systems

tl::unexpected<Error> system_failure(std::string_view action, std::string_view path, int error_number) {
  return tl::unexpected<Error>(system_error(action, path, error_number));
}

struct DescriptorCloser {
  void operator()(const int* descriptor) const { ::close(*descriptor); }
};

struct FolderCloser {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

// What a new file takes the place of: where a link leads, so that the link stays. A rename would replace whatever has
// the name: a device that other programs need, or a pipe that one of them reads.
Result<std::string> replaced_path(std::string path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return path;  // nothing yet; creating the file says if that is impossible
  if (!S_ISREG(facts.st_mode)) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{} is {}, which a file cannot replace; choose another name", path,
                               S_ISDIR(facts.st_mode) ? "a folder" : "a device, pipe or socket"));
  }
  const bool is_link = ::lstat(path.c_str(), &facts) == 0 && S_ISLNK(facts.st_mode);
  return is_link ? canonical_path(path) : std::move(path);
}

}  // namespace

std::string partial_path(std::string_view path) {
  const std::size_t folder_bytes = path.rfind('/') + 1;  // npos + 1 is 0
  const std::string_view name = path.substr(folder_bytes);
  if (name.size() + kPartialEnding.size() <= kNameBytesMaximum) return fmt::format("{}{}", path, kPartialEnding);
  return fmt::format("{}{:016x}{}", path.substr(0, folder_bytes), hash64(name), kPartialEnding);
}

Result<AtomicFile> AtomicFile::create(std::string stated_path) {
  PARAPRINT_ASSIGN(std::string path, replaced_path(std::move(stated_path)));
  const std::string partial = partial_path(path);
  const int descriptor = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode);
  if (descriptor < 0) return system_failure("create", partial, errno);
  return AtomicFile(std::move(path), descriptor);
}

AtomicFile::AtomicFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : ByteSink(other),
      path_(std::move(other.path_)),
      buffer_(std::move(other.buffer_)),
      size_bytes_(other.size_bytes_),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this != &other) {
    abandon();
    path_ = std::move(other.path_);
    buffer_ = std::move(other.buffer_);
    size_bytes_ = other.size_bytes_;
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

AtomicFile::~AtomicFile() {
  abandon();
}

// After a failed write or sync the descriptor is still open, so the partial file is removed in that case, too.
void AtomicFile::abandon() {
  if (descriptor_ < 0) return;
  ::close(std::exchange(descriptor_, -1));
  ::unlink(partial_path(path_).c_str());
}

Status AtomicFile::write(std::string_view bytes) {
  PARAPRINT_ASSERT(descriptor_ >= 0);
  buffer_.append(bytes);
  size_bytes_ += bytes.size();
  return buffer_.size() < kBufferBytes ? Status{} : flush();
}

// Checks for a stop request once per buffer: this is where long outputs are cancelled.
Status AtomicFile::flush() {
  PARAPRINT_TRY(check_stop());
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return system_failure("write", path_, errno);
    }
    // A short write is not an error: Linux writes at most 2 GiB per call, and a signal may interrupt it.
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
  return {};
}

Status AtomicFile::overwrite(std::uint64_t offset_bytes, std::string_view bytes) {
  PARAPRINT_ASSERT(descriptor_ >= 0 && offset_bytes + bytes.size() <= size_bytes_);
  PARAPRINT_TRY(flush());
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset_bytes));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_failure("write", path_, errno);
    offset_bytes += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Status AtomicFile::commit() {
  PARAPRINT_ASSERT(descriptor_ >= 0);
  PARAPRINT_TRY(flush());
  if (::fsync(descriptor_) != 0) return system_failure("write", path_, errno);
  const std::string partial = partial_path(path_);
  // Some network file systems report a full disk only on close. The descriptor is gone even if close() fails, so the
  // destructor cannot clean up from here on.
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    const int error_number = errno;
    ::unlink(partial.c_str());
    return system_failure("write", path_, error_number);
  }
  if (std::rename(partial.c_str(), path_.c_str()) != 0) {
    const int error_number = errno;
    ::unlink(partial.c_str());
    return system_failure("rename the finished file to", path_, error_number);
  }
  return sync_folder_of(path_);
}

// File systems that cannot sync a folder return EINVAL or EBADF. Nothing can be done there, so it is not an error.
Status sync_folder_of(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return system_failure("open the folder", folder, errno);
  const int failed = ::fsync(descriptor);
  const int error_number = errno;
  ::close(descriptor);
  if (failed != 0 && error_number != EINVAL && error_number != EBADF) {
    return system_failure("sync the folder", folder, error_number);
  }
  return {};
}

Status write_file_atomically(std::string path, std::string_view bytes) {
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(std::move(path)));
  PARAPRINT_TRY(file.write(bytes));
  return file.commit();
}

Status create_folders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return system_failure("create the folder", path, error.value());
  // create_directories() does not report a regular file at `path` on every implementation.
  if (!std::filesystem::is_directory(path, error)) return system_failure("create the folder", path, ENOTDIR);
  return {};
}

Result<bool> path_exists(const std::string& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  return system_failure("examine", path, errno);
}

std::string absolute_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (error == std::errc::not_enough_memory) throw std::bad_alloc();
  return (error ? std::filesystem::path(path) : absolute).lexically_normal().string();
}

// The path is not made normal first: ".." behind a link leads to the folder above the one that the link leads to.
std::string canonical_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (error == std::errc::not_enough_memory) throw std::bad_alloc();
  const std::filesystem::path canonical =
      std::filesystem::weakly_canonical(error ? std::filesystem::path(path) : absolute, error);
  if (error == std::errc::not_enough_memory) throw std::bad_alloc();
  return error ? absolute_path(path) : canonical.string();
}

// Without streams, which tell neither why a file could not be opened nor, through their buffers' iterators, that
// reading failed.
Result<std::string> read_whole_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_failure("open", path, errno);
  const std::unique_ptr<const int, DescriptorCloser> closer(&descriptor);
  std::string bytes;
  for (std::size_t size = 0;;) {
    bytes.resize(size + kReadBytes);
    const ssize_t got = ::read(descriptor, bytes.data() + size, kReadBytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_failure("read", path, errno);
    size += static_cast<std::size_t>(got);
    if (got > 0) continue;
    bytes.resize(size);
    return bytes;
  }
}

Result<std::vector<std::string>> names_in_folder(const std::string& folder) {
  const std::unique_ptr<DIR, FolderCloser> opened(::opendir(folder.c_str()));
  if (opened == nullptr) return tl::unexpected<Error>(system_error("read the folder", folder, errno));
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(opened.get());
    if (entry == nullptr && errno != 0) return tl::unexpected<Error>(system_error("read the folder", folder, errno));
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace paraprint::inline base
