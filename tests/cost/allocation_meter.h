// Counts the bytes that the program has allocated and not released, with the C library's own functions of allocation
// replaced: what C++ and C libraries take is counted alike, and exactly. Files mapped into memory are not.
#pragma once

#include <cstddef>

namespace paraprint {

// Bytes in use beyond those at its construction. One at a time.
class AllocationMeter {
 public:
  AllocationMeter();
  std::size_t peak_bytes() const;  // the most at once since then
  std::size_t held_bytes() const;  // now

 private:
  std::size_t before_bytes_;
};

}  // namespace paraprint
