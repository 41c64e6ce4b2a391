// Read-only access to the bytes of a file, either mapped or read into memory, for the lifetime of the object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::inline memory {

// Movable. Thread-safe once open. The file must not be truncated while it is mapped (reading would raise SIGBUS);
// paraprint replaces its files and never changes them in place.
class MappedFile {
 public:
  // Errors (system_error.h): kNotFound, kPermissionDenied, kInputOutput; kInvalidArgument if it is not a regular file.
  static Result<MappedFile> open(const std::string& path);
  // Like open(), but reads the bytes into huge pages if the system has them. For random reads across many megabytes,
  // which in a mapped file would mostly miss the TLB. Falls back to mapping if out of memory.
  static Result<MappedFile> read(const std::string& path);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  // Page-aligned, hence aligned for any scalar type.
  std::string_view bytes() const { return bytes_; }
  // Disables read-ahead for a mapped file that will be read at random positions.
  void expect_random_reads() const;

 private:
  void unmap();

  std::string_view bytes_;
};

}  // namespace paraprint::inline memory
