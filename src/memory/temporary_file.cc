// Reads and writes use explicit offsets (pread, pwrite), so that reads do not interfere with appends.
#include "memory/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/assert.h"
#include "base/propagate.h"
#include "base/system_error.h"

namespace paraprint::inline memory {
namespace {

tl::unexpected<Error> file_failure(std::string_view action, const std::string& directory, int error_number) {
  return tl::unexpected<Error>(system_error(action, directory, error_number));
}

}  // namespace

Result<int> open_nameless_file(const std::string& directory) {
  // O_TMPFILE never creates a name, so a process killed here leaves nothing behind. On file systems without it (NFS,
  // some overlays) the file has a name for a moment.
  int descriptor = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
    return file_failure("make a temporary file in", directory, errno);
  std::string path = directory + "/paraprint-XXXXXX";
  descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) return file_failure("make a temporary file in", directory, errno);
  ::unlink(path.c_str());
  return descriptor;
}

Result<TemporaryFile> TemporaryFile::create(const std::string& directory) {
  PARAPRINT_ASSIGN(int descriptor, open_nameless_file(directory));
  TemporaryFile file;
  file.descriptor_ = descriptor;
  file.directory_ = directory;
  return file;
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_bytes_(std::exchange(other.size_bytes_, 0)),
      directory_(std::move(other.directory_)) {}

TemporaryFile& TemporaryFile::operator=(TemporaryFile&& other) noexcept {
  if (this == &other) return *this;
  close_file();
  descriptor_ = std::exchange(other.descriptor_, -1);
  size_bytes_ = std::exchange(other.size_bytes_, 0);
  directory_ = std::move(other.directory_);
  return *this;
}

TemporaryFile::~TemporaryFile() {
  close_file();
}

void TemporaryFile::close_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

Status TemporaryFile::append(std::span<const std::byte> bytes) {
  PARAPRINT_ASSERT(is_open());
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_bytes_));
    if (written < 0) {
      if (errno == EINTR) continue;
      return file_failure("write a temporary file in", directory_, errno);
    }
    if (written == 0) return file_failure("write a temporary file in", directory_, ENOSPC);
    size_bytes_ += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Status TemporaryFile::read(std::uint64_t offset_bytes, std::span<std::byte> bytes) const {
  PARAPRINT_ASSERT(is_open());
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset_bytes));
    if (got < 0) {
      if (errno == EINTR) continue;
      return file_failure("read a temporary file in", directory_, errno);
    }
    if (got == 0) {  // callers read only what they appended
      return failure(ErrorCode::kCorruptData,
                     fmt::format("temporary file in {} ends at byte {}", directory_, offset_bytes));
    }
    offset_bytes += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

}  // namespace paraprint::inline memory
