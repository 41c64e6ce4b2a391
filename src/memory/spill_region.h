// Memory that can move to a file without changing its address; the basis of spill_array.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "paraprint/result.h"

namespace paraprint::inline memory {

class MemoryBudget;

// A growing range of zeroed bytes. It starts as private memory; move_to_file() moves the content, at the same address,
// to an unnamed file in the budget's folder (MAP_SHARED), whose resident pages can then be dropped at any time. The
// file's blocks are allocated before they are mapped, so a full disk is an error of reserve() and never a SIGBUS.
//
// One writer at a time. Concurrent readers are safe except during reserve(), which may move the range.
class SpillRegion {
 public:
  // With a null budget the region always stays in memory.
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

  // Makes room for at least `size_bytes`; new bytes are zero. Errors: those of writing a file, naming the spill folder;
  // kLimitExceeded if the system has no memory or address space left.
  Status reserve(std::size_t size_bytes);
  // Frees everything: memory, file and address space.
  void release();

  // The used part of the capacity; only this part is written when the region moves to a file.
  void set_used_bytes(std::size_t used_bytes) { used_bytes_ = used_bytes; }
  std::size_t used_bytes() const { return used_bytes_; }

  Status move_to_file();
  void drop_resident();  // drops the resident pages of a region in a file; otherwise has no effect

 private:
  Status grow_memory(std::size_t size_bytes);
  Status grow_file(std::size_t size_bytes);

  MemoryBudget* budget_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t capacity_bytes_ = 0;
  std::size_t used_bytes_ = 0;
  int descriptor_ = -1;
};

}  // namespace paraprint::inline memory
