// Blocking reads into a ByteBuffer. Reads wait through wait_for_input() so that a stop request is noticed while a pipe
// is silent; regular files are always ready.
#include "archive/input_window.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/input_wait.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "base/system_error.h"

namespace paraprint::inline archive {

Result<InputWindow> InputWindow::open(const std::string& path) {
  // Duplicated, so that closing the window does not close the process's standard input.
  const int descriptor = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return tl::unexpected<Error>(system_error("open", path, errno));
#ifdef POSIX_FADV_SEQUENTIAL
  // Only a hint; it fails for pipes.
  (void)::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
  return InputWindow(path, descriptor);
}

InputWindow::InputWindow(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

InputWindow::InputWindow(std::string path, std::shared_ptr<ZipMemberStream> member)
    : path_(std::move(path)), member_(std::move(member)) {}

InputWindow::InputWindow(std::string path, std::shared_ptr<ByteSource> source)
    : path_(std::move(path)), source_(std::move(source)) {}

InputWindow::InputWindow(InputWindow&& other) noexcept
    : path_(std::move(other.path_)),
      member_(std::move(other.member_)),
      source_(std::move(other.source_)),
      buffer_(std::move(other.buffer_)),
      offset_bytes_(other.offset_bytes_),
      read_bytes_(other.read_bytes_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      is_complete_(other.is_complete_) {}

InputWindow::~InputWindow() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status InputWindow::ensure(std::size_t wanted) {
  while (buffer_.size() < wanted && !is_complete_) {
    // Reserve one piece at a time: `wanted` may come from a wrong length and far exceed the file.
    const std::size_t size = std::clamp(wanted - buffer_.size(), read_bytes_, kReadBytes);
    PARAPRINT_ASSIGN(const std::size_t count, read(buffer_.reserve(size), size));
    read_bytes_ = std::min(read_bytes_ * 2, kReadBytes);
    if (count == 0) is_complete_ = true;
    buffer_.commit(count);
  }
  return {};
}

Result<std::size_t> InputWindow::read(char* target, std::size_t size) const {
  if (member_ != nullptr) return member_->read(target, size);
  if (source_ != nullptr) {
    PARAPRINT_TRY(check_stop());
    return source_->read_at(offset_bytes_ + buffer_.size(), target, size);
  }
  while (true) {
    PARAPRINT_TRY(wait_for_input(descriptor_));
    const ssize_t count = ::read(descriptor_, target, size);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) return tl::unexpected<Error>(system_error("read", path_, errno));
  }
}

Status InputWindow::seek(std::uint64_t offset_bytes) {
  PARAPRINT_TRY(move_to(offset_bytes));
  // The end may have been reached before; from here there may be more to read.
  buffer_.clear();
  offset_bytes_ = offset_bytes;
  read_bytes_ = kFirstReadBytes;
  is_complete_ = false;
  return {};
}

Status InputWindow::move_to(std::uint64_t offset_bytes) const {
  if (member_ != nullptr) return member_->seek(offset_bytes);
  // lseek() accepts offsets beyond the end, which would later look like an empty file.
  const auto end = source_ != nullptr ? static_cast<off_t>(source_->size_bytes()) : ::lseek(descriptor_, 0, SEEK_END);
  if (end >= 0 && static_cast<std::uint64_t>(end) < offset_bytes) {
    return failure(ErrorCode::kCorruptData, path_ + " has changed: it is now shorter than when it was first read");
  }
  if (source_ != nullptr) return {};  // ensure() reads from there
  if (end < 0 || ::lseek(descriptor_, static_cast<off_t>(offset_bytes), SEEK_SET) < 0) {
    if (errno == ESPIPE) {
      return failure(ErrorCode::kUnsupported, "cannot seek in " + path_ + ", which is a pipe; pass a file instead");
    }
    return tl::unexpected<Error>(system_error("seek in", path_, errno));
  }
  return {};
}

}  // namespace paraprint::inline archive
