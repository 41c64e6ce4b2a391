#include "base/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/assert.h"

namespace paraprint {
namespace {

tl::unexpected<Error> system_failure(const char* what, const std::string& directory, int error_number) {
  ErrorCode code = ErrorCode::kInputOutput;
  const char* advice = "";
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      code = ErrorCode::kNoSpace;
      advice = "; free some space or choose another temporary directory";
      break;
    case ENOENT:
    case ENOTDIR:
      code = ErrorCode::kNotFound;
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      code = ErrorCode::kPermissionDenied;
      break;
    default:
      break;
  }
  return failure(code,
                 fmt::format("temporary directory {}: {}: {}{}", directory, what, std::strerror(error_number), advice));
}

}  // namespace

Result<TemporaryFile> TemporaryFile::create(const std::string& directory) {
  std::string path = directory + "/paraprint-XXXXXX";
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) return system_failure("can't make a file", directory, errno);
  ::unlink(path.c_str());
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
      return system_failure("can't write", directory_, errno);
    }
    if (written == 0) return system_failure("can't write", directory_, ENOSPC);
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
      return system_failure("can't read", directory_, errno);
    }
    if (got == 0) {
      return failure(ErrorCode::kCorruptData,
                     fmt::format("temporary directory {}: a scratch file ends at byte {}", directory_, offset_bytes));
    }
    offset_bytes += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

}  // namespace paraprint
