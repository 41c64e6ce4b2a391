// Both ways end in pages owned by `bytes_` and released with munmap, so the destructor need not distinguish them. An
// empty file has no mapping, because mmap rejects a length of 0.
#include "memory/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/propagate.h"
#include "base/system_error.h"

namespace paraprint::inline memory {
namespace {

constexpr std::size_t kLargePageBytes = std::size_t{2} << 20;  // of x86-64

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int descriptor() const { return descriptor_; }
  // Also reports that the file could not be opened, and rejects folders, pipes and devices, which have no size.
  Result<std::size_t> size_bytes() const {
    if (descriptor_ < 0) return tl::unexpected<Error>(system_error("open", path_, errno));
    struct stat facts {};
    if (::fstat(descriptor_, &facts) != 0) return tl::unexpected<Error>(system_error("read", path_, errno));
    if (!S_ISREG(facts.st_mode)) return failure(ErrorCode::kInvalidArgument, path_ + ": not a regular file");
    return static_cast<std::size_t>(facts.st_size);
  }
  Status read(char* to, std::size_t size) const {
    // Linux reads at most 2 GiB per call, less than large models have.
    while (size > 0) {
      const ssize_t got = ::read(descriptor_, to, size);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return tl::unexpected<Error>(system_error("read", path_, errno));
      if (got == 0) return failure(ErrorCode::kInputOutput, path_ + ": file was truncated while it was read");
      to += got;
      size -= static_cast<std::size_t>(got);
    }
    return {};
  }

 private:
  const std::string& path_;
  int descriptor_;
};

// Allocates memory aligned to a huge page; null if out of memory. mmap has no alignment argument, so it maps one huge
// page too many and unmaps both ends. Release with munmap.
char* allocate_large_pages(std::size_t size) {
  const std::size_t room = size + kLargePageBytes;
  void* mapped = ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  char* begin = static_cast<char*>(mapped);
  const std::size_t before =
      (kLargePageBytes - reinterpret_cast<std::uintptr_t>(begin) % kLargePageBytes) % kLargePageBytes;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t used = (size + page - 1) / page * page;
  if (before > 0) ::munmap(begin, before);
  if (room - before > used) ::munmap(begin + before + used, room - before - used);
#ifdef MADV_HUGEPAGE
  ::madvise(begin + before, used, MADV_HUGEPAGE);  // only a hint: small pages work as well
#endif
  return begin + before;
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  const OpenFile opened(path);
  PARAPRINT_ASSIGN(const std::size_t size, opened.size_bytes());
  MappedFile file;
  if (size == 0) return file;
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, opened.descriptor(), 0);
  if (mapped == MAP_FAILED) return tl::unexpected<Error>(system_error("map", path, errno));
  file.bytes_ = {static_cast<const char*>(mapped), size};
  return file;
}

Result<MappedFile> MappedFile::read(const std::string& path) {
  const OpenFile opened(path);
  PARAPRINT_ASSIGN(const std::size_t size, opened.size_bytes());
  MappedFile file;
  if (size == 0) return file;
  char* memory = allocate_large_pages(size);
  if (memory == nullptr) return open(path);
  file.bytes_ = {memory, size};
  PARAPRINT_TRY(opened.read(memory, size));
  ::mprotect(memory, size, PROT_READ);  // catches accidental writes
  return file;
}

void MappedFile::expect_random_reads() const {
  if (!bytes_.empty()) ::madvise(const_cast<char*>(bytes_.data()), bytes_.size(), MADV_RANDOM);
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

}  // namespace paraprint::inline memory
