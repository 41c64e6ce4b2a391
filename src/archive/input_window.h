// A sliding window over the stored bytes of a file, of a member of a ZIP file, of a source or of standard input, which
// are read in pieces: small ones at first, so that a single record is read without much of what follows, then large
// ones.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "memory/byte_buffer.h"
#include "paraprint/byte_source.h"
#include "paraprint/result.h"
#include "zip/zip_member.h"

namespace paraprint::inline archive {

class InputWindow {
 public:
  // Least size of the first read after open() or seek(). It doubles from read to read, up to kReadBytes.
  static constexpr std::size_t kFirstReadBytes = std::size_t{64} << 10;
  // Read size: large enough to make the cost of system calls negligible and to hold nearly every compressed record
  // completely.
  static constexpr std::size_t kReadBytes = std::size_t{4} << 20;

  // "-" is standard input. Errors as in base/system_error.h.
  static Result<InputWindow> open(const std::string& path);

  // The content of a member of a ZIP file. `path` is for messages. The member may be checked once it has been read.
  InputWindow(std::string path, std::shared_ptr<ZipMemberStream> member);

  // `path` is for messages.
  InputWindow(std::string path, std::shared_ptr<ByteSource> source);

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
  // How much of the file on disk is behind an offset: less than the offset if a ZIP file has the bytes compressed.
  std::uint64_t disk_bytes_behind(std::uint64_t offset_bytes) const {
    return member_ != nullptr ? member_->stored_bytes_behind(offset_bytes) : offset_bytes;
  }
  // True if all bytes of the file are in view() or consumed.
  bool is_complete() const { return is_complete_; }

  // Clears the window and continues reading at `offset_bytes`. Errors: kUnsupported (standard input, pipes),
  // kCorruptData if the file is shorter, kInputOutput.
  Status seek(std::uint64_t offset_bytes);

  const std::string& path() const { return path_; }

 private:
  InputWindow(std::string path, int descriptor);
  Result<std::size_t> read(char* target, std::size_t size) const;  // `size` bytes or fewer; 0 at the end
  Status move_to(std::uint64_t offset_bytes) const;

  std::string path_;
  std::shared_ptr<ZipMemberStream> member_;  // null: source_ or descriptor_
  std::shared_ptr<ByteSource> source_;
  ByteBuffer buffer_;
  std::uint64_t offset_bytes_ = 0;
  std::size_t read_bytes_ = kFirstReadBytes;
  int descriptor_ = -1;
  bool is_complete_ = false;
};

}  // namespace paraprint::inline archive
