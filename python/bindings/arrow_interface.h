// The structures of the Arrow C data and stream interfaces, exactly as specified. With them, tables pass between
// libraries of one process without a copy, and without linking against each other.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct ArrowSchema {
  const char* format;  // the type: "u" UTF-8 with 32-bit offsets, "+s" a struct of columns
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);  // null: moved or released
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;  // -1: unknown
  std::int64_t offset;      // rows before the first one in every buffer
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);  // 0 or an errno value
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);     // end of stream: out->release is null
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

namespace paraprint::python {

// The size of a view in the layout of views, and of the texts that are in the view itself: at most this (Arrow columnar
// format, variable-size binary view layout).
inline constexpr std::size_t kArrowViewBytes = 16;
inline constexpr std::size_t kArrowInlineBytes = 12;

}  // namespace paraprint::python
