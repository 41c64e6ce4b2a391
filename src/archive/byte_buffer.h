// A queue of bytes in one piece of memory: append at the end, consume at the front, look at all of it. Unlike
// std::string it never clears memory that is about to be overwritten, and kReadableSlackBytes beyond its content may be
// read (not written): parsers that load whole words need that.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/assert.h"

namespace paraprint {

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

  // Room for at least `count` bytes after the content; invalidates views. Amortised linear.
  char* reserve(std::size_t count) {
    if (capacity_ - end_ < count) make_room(count);
    return memory_.get() + end_;
  }
  // Bytes written to reserve() that now belong to the content.
  void commit(std::size_t count) {
    PARAPRINT_ASSERT(count <= capacity_ - end_);
    end_ += count;
  }
  // What reserve() can give without moving.
  std::size_t room() const { return capacity_ - end_; }
  void clear() { begin_ = end_ = 0; }

 private:
  void make_room(std::size_t count) {
    const std::size_t used = size();
    // Moving to the front is only worth it when it frees more than it moves: else the memory grows.
    if (capacity_ >= used + count && begin_ >= used) {
      std::memmove(memory_.get(), memory_.get() + begin_, used);
    } else {
      const std::size_t grown = used + count > 2 * capacity_ ? used + count : 2 * capacity_;
      auto memory = std::make_unique_for_overwrite<char[]>(grown + kReadableSlackBytes);
      // A defined slack keeps word-wise readers deterministic and memory checkers quiet.
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

}  // namespace paraprint
