// The stored bytes of a file or of standard input, read in large pieces and looked at through a sliding window.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "archive/byte_buffer.h"
#include "paraprint/result.h"

namespace paraprint {

class InputWindow {
 public:
  // Files are read in pieces of this size: the system call's cost vanishes, and nearly every compressed record is
  // whole in the window.
  static constexpr std::size_t kReadBytes = std::size_t{4} << 20;

  // "-" is standard input. Errors as in base/system_error.h.
  static Result<InputWindow> open(const std::string& path);

  InputWindow(InputWindow&& other) noexcept;
  InputWindow& operator=(InputWindow&&) = delete;
  ~InputWindow();

  // Reads until view() has at least `wanted` bytes or the file ends. Errors: kInputOutput.
  Status ensure(std::size_t wanted);

  std::string_view view() const { return buffer_.view(); }
  void consume(std::size_t count) {
    buffer_.consume(count);
    offset_bytes_ += count;
  }
  // Stored offset of the first byte of view().
  std::uint64_t offset_bytes() const { return offset_bytes_; }
  // All bytes of the file are in view() or consumed.
  bool is_complete() const { return is_complete_; }

  // Empties the window and goes on at `offset_bytes`. Errors: kUnsupported (standard input, pipes), kInputOutput.
  Status seek(std::uint64_t offset_bytes);

  const std::string& path() const { return path_; }

 private:
  InputWindow(std::string path, int descriptor);

  std::string path_;
  ByteBuffer buffer_;
  std::uint64_t offset_bytes_ = 0;
  int descriptor_ = -1;
  bool is_complete_ = false;
};

}  // namespace paraprint
