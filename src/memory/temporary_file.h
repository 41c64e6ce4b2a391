// An unnamed temporary file: it disappears with its descriptor, so a killed run leaves nothing behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "paraprint/result.h"

namespace paraprint::inline memory {

// Opens such a file for reading and writing; the caller closes the descriptor. Errors: as TemporaryFile::create().
Result<int> open_nameless_file(const std::string& directory);

// Owns one open file. Movable. One thread at a time may append; parts already written can be read concurrently.
//
// Under a file size limit (RLIMIT_FSIZE) the process must ignore SIGXFSZ to get kNoSpace instead of a signal.
class TemporaryFile {
 public:
  // Errors: kNotFound, kPermissionDenied, kNoSpace or kInputOutput, each naming `directory`.
  static Result<TemporaryFile> create(const std::string& directory);

  TemporaryFile() = default;
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&& other) noexcept;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  bool is_open() const { return descriptor_ >= 0; }
  std::uint64_t size_bytes() const { return size_bytes_; }

  // Writes all of `bytes` at the end. kNoSpace if the disk, the quota or the file size limit is exhausted.
  Status append(std::span<const std::byte> bytes);

  // Fills `bytes` from `offset_bytes`. Reading past the end is kCorruptData.
  Status read(std::uint64_t offset_bytes, std::span<std::byte> bytes) const;

 private:
  void close_file();

  int descriptor_ = -1;
  std::uint64_t size_bytes_ = 0;
  std::string directory_;
};

}  // namespace paraprint::inline memory
