// A contiguous byte queue: append at the end, consume from the front, view everything in between. Unlike std::string it
// does not zero memory that is about to be overwritten, and kReadableSlackBytes beyond the content may be read (not
// written), as parsers that load whole words require.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/assert.h"

namespace paraprint::inline memory {

class ByteBuffer {
 public:
  static constexpr std::size_t kReadableSlackBytes = 64;

  std::string_view view() const { return {memory_.get() + begin_, end_ - begin_}; }
  std::size_t size() const { return end_ - begin_; }

  void consume(std::size_t count) {
    PARAPRINT_ASSERT(count <= size());
    begin_ += count;
    if (begin_ == end_) begin_ = end_ = 0;
  }

  // Returns room for at least `count` bytes after the content and invalidates views. Amortised linear.
  char* reserve(std::size_t count) {
    if (capacity_ - end_ < count) make_room(count);
    return memory_.get() + end_;
  }
  // Appends `count` bytes written to the memory returned by reserve().
  void commit(std::size_t count) {
    PARAPRINT_ASSERT(count <= capacity_ - end_);
    end_ += count;
  }
  // Bytes that reserve() can provide without moving or growing.
  std::size_t room() const { return capacity_ - end_; }
  void clear() { begin_ = end_ = 0; }

 private:
  void make_room(std::size_t count) {
    const std::size_t used = size();
    // Move to the front only if that frees at least as much as it copies; otherwise grow. This keeps appends amortised
    // linear.
    if (capacity_ >= used + count && begin_ >= used) {
      std::memmove(memory_.get(), memory_.get() + begin_, used);
    } else {
      const std::size_t grown = used + count > 2 * capacity_ ? used + count : 2 * capacity_;
      auto memory = std::make_unique_for_overwrite<char[]>(grown + kReadableSlackBytes);
      // Zeroed slack keeps word-wise readers deterministic and memory checkers quiet.
      std::memset(memory.get() + grown, 0, kReadableSlackBytes);
      if (used > 0) std::memcpy(memory.get(), memory_.get() + begin_, used);
      memory_ = std::move(memory);
      capacity_ = grown;
    }
    begin_ = 0;
    end_ = used;
  }

  std::unique_ptr<char[]> memory_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace paraprint::inline memory
