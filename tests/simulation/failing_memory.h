// Fails one allocation of a thread that has asked for it: in a program that links failing_memory.cc, operator new is
// replaced. Allocations of RocksDB do not fail unless that is wanted: it is not written to survive it.
#pragma once

#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace paraprint {

class FailingMemory {
 public:
  // During its life, this thread's allocations do not fail.
  class Pause {
   public:
    Pause() : before_(set_may_fail(false)) {}
    ~Pause() { set_may_fail(before_); }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    bool before_;
  };

  // The allocation that follows `good_allocations` others fails, among those of threads that may_fail().
  static void fail_after(std::uint64_t good_allocations) {
    fails_database_ = false;
    left_ = static_cast<std::int64_t>(good_allocations) + 1;
  }
  // The same among the allocations of RocksDB alone.
  static void fail_in_database_after(std::uint64_t good_allocations) {
    fail_after(good_allocations);
    fails_database_ = true;
  }
  // Returns whether one has failed.
  static bool end() { return left_.exchange(0) < 0; }

  // Threads may not fail unless they are told to. Returns what was the case before.
  static bool set_may_fail(bool may) { return std::exchange(may_fail_, may); }

  static bool fails_now() {
    if (left_.load(std::memory_order_relaxed) <= 0 || !may_fail_) return false;
    if (fails_database_ && !is_in_database()) return false;
    if (--left_ > 0) return false;
    if (!fails_database_ && is_in_database()) {
      left_ = 1;  // the next one, then
      return false;
    }
    left_ = -1;
    return true;
  }

 private:
  static bool is_in_database() {
    may_fail_ = false;
    std::array<void*, 64> frames{};
    const int depth = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    const Range database = range_of_database();
    may_fail_ = true;
    return std::any_of(frames.begin(), frames.begin() + depth, [&](const void* frame) {
      const auto address = reinterpret_cast<std::uintptr_t>(frame);
      return address >= database.begin && address < database.end;
    });
  }

  // Where the code of RocksDB is. It is not unloaded.
  struct Range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
  };
  static Range range_of_database() {
    static const Range found = [] {
      Range range;
      ::dl_iterate_phdr(
          [](dl_phdr_info* library, std::size_t, void* result) {
            if (std::strstr(library->dlpi_name, "librocksdb") == nullptr) return 0;
            auto& of = *static_cast<Range*>(result);
            of.begin = library->dlpi_addr;
            for (int i = 0; i < library->dlpi_phnum; ++i) {
              const auto& part = library->dlpi_phdr[i];
              of.end = std::max<std::uintptr_t>(of.end, library->dlpi_addr + part.p_vaddr + part.p_memsz);
            }
            return 1;
          },
          &range);
      return range;
    }();
    return found;
  }

  static inline std::atomic<std::int64_t> left_{0};  // 0: none fails, -1: one has failed
  static inline std::atomic<bool> fails_database_{false};
  static inline thread_local bool may_fail_ = false;
};

// During its life, this thread's allocations may fail.
class UnsafeMemory {
 public:
  UnsafeMemory() : before_(FailingMemory::set_may_fail(true)) {}
  ~UnsafeMemory() { FailingMemory::set_may_fail(before_); }
  UnsafeMemory(const UnsafeMemory&) = delete;
  UnsafeMemory& operator=(const UnsafeMemory&) = delete;

 private:
  bool before_;
};

}  // namespace paraprint
