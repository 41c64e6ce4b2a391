// An append-only file of which only a known length is valid: bytes that a killed process wrote beyond it are cut off.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::inline memory {

// One writer at a time; not thread-safe. Errors as in base/atomic_file.h, naming the file.
class AppendingFile {
 public:
  // Opens or creates `path` and truncates it to `size_bytes`. kCorruptData if it is shorter than that.
  static Result<AppendingFile> open(std::string path, std::uint64_t size_bytes);

  AppendingFile(AppendingFile&& other) noexcept;
  AppendingFile& operator=(AppendingFile&& other) noexcept;
  AppendingFile(const AppendingFile&) = delete;
  AppendingFile& operator=(const AppendingFile&) = delete;
  ~AppendingFile();

  Status append(std::string_view bytes);
  // Truncates the file to an earlier length.
  Status cut(std::uint64_t size_bytes);
  // Makes everything appended so far durable.
  Status sync();
  std::uint64_t size_bytes() const { return size_bytes_; }
  const std::string& path() const { return path_; }

 private:
  AppendingFile(std::string path, int descriptor, std::uint64_t size_bytes);
  void close_file();

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_bytes_ = 0;
};

// Appends a line, with its line end, to an existing file, durably or not at all: after an error, the file has the
// length that it had before. If its last line has no end, as after a power cut, that line gets one first. Errors: as
// above.
Status append_line(const std::string& path, std::string_view line);

}  // namespace paraprint::inline memory
