// A std::vector for plain rows that need not stay in memory, such as one row per page or pair. With a MemoryBudget it
// moves to disk when the process nears the memory target (memory_budget.h); without one, or in small runs, it is
// ordinary memory. Pointers into it stay valid until it grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "base/assert.h"
#include "base/propagate.h"
#include "memory/memory_budget.h"
#include "memory/spill_region.h"
#include "paraprint/result.h"

namespace paraprint::inline memory {

// Errors of functions that grow the array: those of SpillRegion::reserve(), which leave the array unchanged.
// Threads: one writer, or any number of readers.
template <class Row>
class SpillArray {
  static_assert(std::is_trivially_copyable_v<Row>, "rows are moved and written as bytes");

 public:
  explicit SpillArray(MemoryBudget* budget = nullptr) : region_(budget) {}
  SpillArray(SpillArray&& other) noexcept : region_(std::move(other.region_)), size_(std::exchange(other.size_, 0)) {}
  SpillArray& operator=(SpillArray&& other) noexcept {
    region_ = std::move(other.region_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  MemoryBudget* budget() const { return region_.budget(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Row* data() { return rows(); }
  const Row* data() const { return rows(); }
  Row& operator[](std::size_t index) { return rows()[index]; }
  const Row& operator[](std::size_t index) const { return rows()[index]; }
  Row* begin() { return rows(); }
  Row* end() { return rows() + size_; }
  const Row* begin() const { return rows(); }
  const Row* end() const { return rows() + size_; }
  Row& front() { return rows()[0]; }
  Row& back() { return rows()[size_ - 1]; }

  Status push_back(const Row& row) {
    const Row copy = row;  // `row` may be in this array
    if ((size_ + 1) * sizeof(Row) > region_.capacity_bytes()) {
      PARAPRINT_TRY(region_.reserve((size_ + 1) * sizeof(Row)));
    }
    rows()[size_] = copy;
    set_size(size_ + 1);
    tick(region_.budget());
    return {};
  }

  // `added` must not be part of this array.
  Status append(std::span<const Row> added) {
    if (added.empty()) return {};
    PARAPRINT_TRY(region_.reserve((size_ + added.size()) * sizeof(Row)));
    std::memcpy(static_cast<void*>(rows() + size_), added.data(), added.size_bytes());
    set_size(size_ + added.size());
    tick(region_.budget());
    return {};
  }

  // Replaces the content by `size` rows of `value`.
  Status assign(std::size_t size, const Row& value) {
    PARAPRINT_TRY(region_.reserve(size * sizeof(Row)));
    set_size(size);
    for (std::size_t i = 0; i < size; ++i) {
      rows()[i] = value;
      tick(region_.budget());
    }
    return {};
  }

  // New rows are uninitialised; the caller must overwrite them.
  Status resize_for_overwrite(std::size_t size) {
    PARAPRINT_TRY(region_.reserve(size * sizeof(Row)));
    set_size(size);
    return {};
  }

  // Requires size <= size().
  void shrink(std::size_t size) {
    PARAPRINT_ASSERT(size <= size_);
    set_size(size);
  }
  void clear() { shrink(0); }  // keeps the memory
  void release() {             // frees the memory
    region_.release();
    size_ = 0;
  }

 private:
  Row* rows() const { return reinterpret_cast<Row*>(region_.data()); }
  void set_size(std::size_t size) {
    size_ = size;
    region_.set_used_bytes(size * sizeof(Row));
  }

  SpillRegion region_;
  std::size_t size_ = 0;
};

}  // namespace paraprint::inline memory
