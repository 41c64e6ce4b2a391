// How a request to stop reaches the loops that check it.
//
// Between pages, pairs and buffers: a public call opens a StopScope with the stop flag of its RunControl; loops below
// it call check_stop(), on the same thread or on threads started with the flag (ordered_parallel.h).
//
// Within one page or pair: a StopCheck is handed from stage to stage.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "paraprint/result.h"

namespace paraprint::inline base {

// During its lifetime, check_stop() on this thread looks at `flag`; if it is null, at that of the scope around it. The
// flag must outlive the scope, which must be destroyed by the thread that created it.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* flag);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

  // The flag of the innermost scope of this thread; null if there is none.
  static const std::atomic<bool>* current();

 private:
  const std::atomic<bool>* const outer_;
};

// Returns kCancelled if this thread's flag is set. Cheap enough for inner loops.
Status check_stop();

// Notices a request to stop within the work on one page or pair. Loops count what they have done; once per kStopUnits,
// the flag is looked at. A unit is about a byte of text, so the work between a request and its notice does not depend
// on the size of the page. A request that was noticed stays so, even if the flag is taken back.
//
// A function that is given a StopCheck returns early once it is stopped, and leaves results that are valid objects but
// incomplete. Whoever made the check asks status() before using them. Not thread-safe: one per page, pair or batch.
class StopCheck {
 public:
  // Is never stopped, or if `flag` is null.
  explicit StopCheck(const std::atomic<bool>* flag = nullptr) : flag_(flag) {}
  StopCheck(const StopCheck&) = delete;
  StopCheck& operator=(const StopCheck&) = delete;
  virtual ~StopCheck() = default;

  // Counts `units` of work that were done. True if the rest shall not be done.
  bool after(std::uint64_t units) {
    units_ += units;
    return units_ < kStopUnits ? is_stopped_ : look();
  }
  bool is_stopped() const { return is_stopped_; }
  // kCancelled if it is stopped.
  Status status() const;

  // Between two looks at the flag: less than a millisecond of work on ordinary pages.
  static constexpr std::uint64_t kStopUnits = std::uint64_t{1} << 15;
  // Of a node of a tree, a block of text, or a paragraph: what it costs besides its text, in bytes of text.
  static constexpr std::uint64_t kUnitsPerNode = 32;

 protected:
  // Whether there is a request to stop; `units` were counted since the last look.
  virtual bool is_asked(std::uint64_t units);

 private:
  bool look();

  const std::atomic<bool>* const flag_;
  std::uint64_t units_ = 0;  // since the last look
  bool is_stopped_ = false;
};

// Calls work(begin, end) for consecutive pieces of [0, count) until `stop` is stopped, which is asked between them; so
// a loop over many small items costs nothing more. Each item counts as a node. Returns whether all were done.
template <class Work>
bool in_pieces(std::size_t count, StopCheck& stop, Work&& work) {
  constexpr std::size_t kPiece = StopCheck::kStopUnits / StopCheck::kUnitsPerNode;
  for (std::size_t begin = 0; begin < count; begin += kPiece) {
    const std::size_t items = std::min(kPiece, count - begin);
    work(begin, begin + items);
    if (stop.after(items * StopCheck::kUnitsPerNode)) return false;
  }
  return true;
}

}  // namespace paraprint::inline base
