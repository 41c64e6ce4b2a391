// Reads by offset, so that several readers of one file do not disturb each other.
#include "zip/zip_file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/propagate.h"
#include "base/system_error.h"

namespace paraprint::inline zip {

Result<std::unique_ptr<ZipFileBytes>> ZipFileBytes::open(const std::string& path, std::shared_ptr<ByteSource> source) {
  std::unique_ptr<ZipFileBytes> bytes(new ZipFileBytes(path, std::move(source)));
  if (bytes->source_ != nullptr) {
    bytes->size_bytes_ = bytes->source_->size_bytes();
    return bytes;
  }
  bytes->descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (bytes->descriptor_ < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  struct stat facts {};
  if (::fstat(bytes->descriptor_, &facts) != 0) return tl::unexpected<Error>(system_error("examine", path, errno));
  bytes->size_bytes_ = static_cast<std::uint64_t>(std::max<off_t>(facts.st_size, 0));
  return bytes;
}

ZipFileBytes::~ZipFileBytes() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::size_t> ZipFileBytes::read_at(std::uint64_t offset_bytes, char* target, std::size_t size) const {
  if (source_ != nullptr) return source_->read_at(offset_bytes, target, size);
  while (true) {
    const ssize_t got = ::pread(descriptor_, target, size, static_cast<off_t>(offset_bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected<Error>(system_error("read", path_, errno));
    return static_cast<std::size_t>(got);
  }
}

}  // namespace paraprint::inline zip
