// A file's bytes in memory, read-only, as long as the object lives: mapped, without reading them, or read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint {

// Movable. Thread-safe once open. The file must not be cut short while it is mapped; files of this project are
// replaced, never changed in place.
class MappedFile {
 public:
  // Errors (system_error.h): kNotFound, kPermissionDenied, kInputOutput; kInvalidArgument for what is no regular file.
  static Result<MappedFile> open(const std::string& path);
  // The same, but the bytes are read into memory of large pages (where the system has them), for reads here and there
  // in many megabytes: each read in a mapped file would first have to find its small page. Mapped where the system
  // gives no memory.
  static Result<MappedFile> read(const std::string& path);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  // Begins at a page of memory, so it is aligned for any number.
  std::string_view bytes() const { return bytes_; }
  // Of a mapped file: reads jump about, nothing is to be read ahead.
  void expect_random_reads() const;

 private:
  void unmap();

  std::string_view bytes_;
};

}  // namespace paraprint
