// Whether memory ran out within ICU, which does not always say so: a string without memory is empty, a word of a script
// whose dictionary could not be loaded is the whole sentence. The C library says so in errno.
//
//   const IcuAllocations allocations;
//   ... calls of ICU ...
//   allocations.check();
#pragma once

#include <cerrno>
#include <new>

namespace paraprint::inline text {

// Of the calling thread, since the object was made. Anything else that sets errno must not come in between.
class IcuAllocations {
 public:
  IcuAllocations() { errno = 0; }
  IcuAllocations(const IcuAllocations&) = delete;
  IcuAllocations& operator=(const IcuAllocations&) = delete;

  bool have_failed() const { return errno == ENOMEM; }
  // Throws std::bad_alloc if one has failed.
  void check() const {
    if (have_failed()) throw std::bad_alloc();
  }
};

}  // namespace paraprint::inline text
