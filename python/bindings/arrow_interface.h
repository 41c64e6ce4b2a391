// The structures of the Arrow C data and stream interfaces, field by field as the specification fixes them: tables
// cross between libraries of one process without a copy and without either linking the other.
#pragma once

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
  void (*release)(ArrowSchema*);  // null: moved away or released
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;  // -1: not counted
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
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);  // errno, 0: done
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);     // out->release null: the end
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"
