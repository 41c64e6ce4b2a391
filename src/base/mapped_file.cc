#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/system_error.h"

namespace paraprint {

Result<MappedFile> MappedFile::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0) {
    const int error_number = errno;
    ::close(descriptor);
    return tl::unexpected<Error>(system_error("read", path, error_number));
  }
  if (!S_ISREG(facts.st_mode)) {
    ::close(descriptor);
    return failure(ErrorCode::kInvalidArgument, path + ": is no file");
  }
  MappedFile file;
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size > 0) {
    void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    const int error_number = errno;
    if (mapped == MAP_FAILED) {
      ::close(descriptor);
      return tl::unexpected<Error>(system_error("map", path, error_number));
    }
    file.bytes_ = {static_cast<const char*>(mapped), size};
  }
  ::close(descriptor);
  return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this != &other) {
    unmap();
    bytes_ = std::exchange(other.bytes_, {});
  }
  return *this;
}

MappedFile::~MappedFile() {
  unmap();
}

void MappedFile::unmap() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  bytes_ = {};
}

}  // namespace paraprint
