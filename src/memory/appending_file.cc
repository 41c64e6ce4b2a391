// The valid length is kept elsewhere (in the crawl's position), together with everything that refers to the file. So a
// crash needs no repair: opening truncates the file to that length.
#include "memory/appending_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/system_error.h"

namespace paraprint::inline memory {

Result<AppendingFile> AppendingFile::open(std::string path, std::uint64_t size_bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  AppendingFile file(std::move(path), descriptor, size_bytes);
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0) return tl::unexpected<Error>(system_error("read", file.path_, errno));
  if (static_cast<std::uint64_t>(facts.st_size) < size_bytes) {
    return failure(ErrorCode::kCorruptData,
                   fmt::format("{} has {} bytes, but {} were written to it: it was truncated or replaced", file.path_,
                               facts.st_size, size_bytes));
  }
  // The directory entry of a new file has to be durable as well, or a power cut loses it with its data.
  PARAPRINT_TRY(file.cut(size_bytes));
  PARAPRINT_TRY(sync_folder_of(file.path_));
  return file;
}

AppendingFile::AppendingFile(std::string path, int descriptor, std::uint64_t size_bytes)
    : path_(std::move(path)), descriptor_(descriptor), size_bytes_(size_bytes) {}

AppendingFile::AppendingFile(AppendingFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_bytes_(other.size_bytes_) {}

AppendingFile& AppendingFile::operator=(AppendingFile&& other) noexcept {
  if (this != &other) {
    close_file();
    path_ = std::move(other.path_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    size_bytes_ = other.size_bytes_;
  }
  return *this;
}

AppendingFile::~AppendingFile() {
  close_file();
}

void AppendingFile::close_file() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

// After an error, size_bytes_ includes the part that was written; the caller's valid length does not.
Status AppendingFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return tl::unexpected<Error>(system_error("write", path_, errno));
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
    size_bytes_ += static_cast<std::uint64_t>(written);
  }
  return {};
}

// ftruncate() does not move the file offset, and writing beyond the end would leave a hole.
Status AppendingFile::cut(std::uint64_t size_bytes) {
  const auto offset = static_cast<off_t>(size_bytes);
  if (::ftruncate(descriptor_, offset) != 0 || ::lseek(descriptor_, offset, SEEK_SET) != offset) {
    return tl::unexpected<Error>(system_error("write", path_, errno));
  }
  size_bytes_ = size_bytes;
  return {};
}

Status AppendingFile::sync() {
  if (::fdatasync(descriptor_) != 0) return tl::unexpected<Error>(system_error("write", path_, errno));
  return {};
}

// A cut that fails, too, leaves a line without an end, which the next call ends.
Status append_line(const std::string& path, std::string_view line) {
  std::ifstream before(path, std::ios::binary | std::ios::ate);
  if (!before) return tl::unexpected<Error>(system_error("open", path, errno));
  const auto size_bytes = static_cast<std::uint64_t>(before.tellg());
  const bool has_open_line = size_bytes > 0 && before.seekg(-1, std::ios::end).get() != '\n';
  if (!before) return tl::unexpected<Error>(system_error("read", path, errno));
  PARAPRINT_ASSIGN(AppendingFile file, AppendingFile::open(path, size_bytes));
  Status status = file.append(fmt::format("{}{}", has_open_line ? "\n" : "", line));
  if (status) status = file.sync();
  if (!status) static_cast<void>(file.cut(size_bytes));
  return status;
}

}  // namespace paraprint::inline memory
