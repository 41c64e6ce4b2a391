// Memory that can move into a file without changing its address: what spill_array.h stands on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "paraprint/result.h"

namespace paraprint {

class MemoryBudget;

// A growing range of zeroed bytes. It begins as private memory; move_to_file() puts the same content, at the same
// address, into a nameless file of the budget's folder (MAP_SHARED), whose resident pages can then be dropped at any
// time. The file is given its blocks before they are mapped, so a full disk is an error of reserve() and never a
// signal.
//
// One writer at a time; readers are not disturbed by anything but reserve(), which may move the range.
class SpillRegion {
 public:
  // Without a budget it stays in memory.
  explicit SpillRegion(MemoryBudget* budget);
  SpillRegion(SpillRegion&& other) noexcept;
  SpillRegion& operator=(SpillRegion&& other) noexcept;
  SpillRegion(const SpillRegion&) = delete;
  SpillRegion& operator=(const SpillRegion&) = delete;
  ~SpillRegion();

  MemoryBudget* budget() const { return budget_; }
  std::byte* data() const { return data_; }
  std::size_t capacity_bytes() const { return capacity_bytes_; }
  bool is_in_file() const { return descriptor_ >= 0; }

  // Makes room for at least `size_bytes`; what is new reads as zero. Errors: kNoSpace and the like naming the spill
  // folder, kLimitExceeded when the system has no memory or addresses left.
  Status reserve(std::size_t size_bytes);
  // Gives everything back: memory, file, addresses.
  void release();

  // How much of the capacity is in use: no more than that is written when the region moves.
  void set_used_bytes(std::size_t used_bytes) { used_bytes_ = used_bytes; }
  std::size_t used_bytes() const { return used_bytes_; }

  Status move_to_file();
  void drop_resident();  // of a region in a file; no effect otherwise

 private:
  Status grow_memory(std::size_t size_bytes);
  Status grow_file(std::size_t size_bytes);

  MemoryBudget* budget_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t capacity_bytes_ = 0;
  std::size_t used_bytes_ = 0;
  int descriptor_ = -1;
};

}  // namespace paraprint
