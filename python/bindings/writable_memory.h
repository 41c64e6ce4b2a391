// Memory of a Python object that the core writes to.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>

#include "module.h"

namespace paraprint::python {

// The object's buffer, which it cannot change until this is destroyed. Raises if it has none that is writable.
class WritableMemory {
 public:
  explicit WritableMemory(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_WRITABLE) != 0) throw nb::python_error();
  }
  WritableMemory(const WritableMemory&) = delete;
  WritableMemory& operator=(const WritableMemory&) = delete;
  ~WritableMemory() { PyBuffer_Release(&view_); }

  char* data() const { return static_cast<char*>(view_.buf); }
  std::size_t size_bytes() const { return static_cast<std::size_t>(view_.len); }

 private:
  Py_buffer view_{};
};

}  // namespace paraprint::python
