// The bytes of a ZIP file, at any offset: of a file of this machine, or from a source.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "paraprint/byte_source.h"
#include "paraprint/result.h"

namespace paraprint::inline zip {

// Threads: one at a time.
class ZipFileBytes {
 public:
  // Nothing is opened by the path if there is a source. Errors: kNotFound, kPermissionDenied, kInputOutput.
  static Result<std::unique_ptr<ZipFileBytes>> open(const std::string& path, std::shared_ptr<ByteSource> source);
  ZipFileBytes(const ZipFileBytes&) = delete;
  ZipFileBytes& operator=(const ZipFileBytes&) = delete;
  ~ZipFileBytes();

  // Reads up to `size` bytes, none behind the end. Errors: kInputOutput; those of the source.
  Result<std::size_t> read_at(std::uint64_t offset_bytes, char* target, std::size_t size) const;

  // When it was opened.
  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  ZipFileBytes(std::string path, std::shared_ptr<ByteSource> source)
      : path_(std::move(path)), source_(std::move(source)) {}

  const std::string path_;
  const std::shared_ptr<ByteSource> source_;
  int descriptor_ = -1;  // without a source
  std::uint64_t size_bytes_ = 0;
};

}  // namespace paraprint::inline zip
