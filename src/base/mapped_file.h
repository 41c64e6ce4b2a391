// A file's bytes without reading them: mapped into memory, read-only, as long as the object lives.
#pragma once

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

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  // Begins at a page of memory, so it is aligned for any number.
  std::string_view bytes() const { return bytes_; }

 private:
  void unmap();

  std::string_view bytes_;
};

}  // namespace paraprint
