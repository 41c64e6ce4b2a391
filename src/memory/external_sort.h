// Sorts more fixed-size records than fit in memory.
//
//   push, push, ...  ->  finish  ->  next, next, ... until false
//
// Records are collected in memory. At the limit they are sorted and written as a run to an unnamed file in the
// temporary directory; finish() prepares a merge of all runs. Below the limit nothing is written. The output is in the
// total order of whole records, so it depends neither on the order of arrival nor on the limit.
//
// The traits define how records are compared and combined:
//
//   struct CountTraits {
//     static std::uint64_t key(const Count&);                 // leading part of operator<, for the radix sort
//     static bool combine(Count& into, const Count& from);    // true: `from` was merged into `into` and is dropped
//   };
//
// combine is called for neighbours in sort order and must be associative and commutative, because the limit affects
// which neighbours meet first. Return false if records are never combined.
//
// Memory: at most memory_limit_bytes of records, then as much for the merge buffers, never both at once. Each run has a
// buffer of at least 4 KiB, so a very small limit can be exceeded by 4 KiB per run.
// Threads: sorts on as many as the options say; not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "memory/parallel_sort.h"
#include "memory/temporary_file.h"
#include "paraprint/result.h"

namespace paraprint::inline memory {

struct ExternalSortOptions {
  std::uint64_t memory_limit_bytes = 64ULL << 20;
  std::string temporary_directory = "/tmp";  // used only above the limit
  unsigned threads = 1;
};

struct ExternalSortStatistics {
  std::uint64_t records_pushed = 0;
  std::uint64_t runs_spilled = 0;
  std::uint64_t bytes_spilled = 0;
};

template <class Record, class Traits>
class ExternalSorter {
  static_assert(std::is_trivially_copyable_v<Record>, "records are moved and written as bytes");

 public:
  explicit ExternalSorter(ExternalSortOptions options)
      : options_(std::move(options)),
        capacity_limit_(std::max<std::size_t>(kMinimumRecords, options_.memory_limit_bytes / sizeof(Record))) {}
  ExternalSorter(ExternalSorter&&) noexcept = default;
  ExternalSorter& operator=(ExternalSorter&&) noexcept = default;

  // Errors: those of writing a run (kNoSpace names the directory), and kCancelled. After an error the object can only
  // be destroyed.
  Status push(const Record& record) {
    PARAPRINT_ASSERT(!finished_);
    if (size_ == capacity_) {
      PARAPRINT_TRY(make_room());
    }
    records_[size_++] = record;
    ++statistics_.records_pushed;
    return statistics_.records_pushed % kRecordsBetweenChecks != 0 ? Status{} : check_stop();
  }

  // Ends the input; next() can be called from then on.
  Status finish() {
    PARAPRINT_ASSERT(!finished_);
    finished_ = true;
    sort_and_combine();
    if (runs_.empty()) return {};
    PARAPRINT_TRY(spill());
    records_.reset();
    capacity_ = 0;
    return open_runs();
  }

  // Gets the next record in order; false at the end or after a failed read, which status() distinguishes.
  bool next(Record& record) {
    PARAPRINT_ASSERT(finished_);
    if (!next_uncombined(record)) return false;
    if (runs_.empty()) return true;  // already combined by finish()
    while (const Record* following = peek()) {
      if (!Traits::combine(record, *following)) break;
      Record used;
      if (!next_uncombined(used)) return false;
    }
    return status_.has_value();
  }

  const Status& status() const { return status_; }
  const ExternalSortStatistics& statistics() const { return statistics_; }

  // Calls `visit(record)` for every record of the output.
  template <class Visitor>
  Status for_each(Visitor&& visit) {
    Record record;
    while (next(record)) visit(std::as_const(record));
    return status_;
  }

 private:
  static constexpr std::uint64_t kRecordsBetweenChecks = 1 << 16;
  static constexpr std::size_t kMinimumRecords = 16;        // keeps a limit of 0 usable
  static constexpr std::size_t kFirstRecords = 1024;        // first allocation
  static constexpr std::size_t kMinimumBufferBytes = 4096;  // of a run in the merge: one page of the file

  struct Free {
    void operator()(Record* records) const { std::free(records); }
  };

  // A sorted section of the file, with a window of it in memory.
  struct SortedRun {
    std::uint64_t next_bytes = 0;
    std::uint64_t end_bytes = 0;
    std::vector<Record> window;
    std::size_t at = 0;
  };

  Status make_room() {
    if (capacity_ < capacity_limit_) {
      // realloc remaps the pages of large blocks instead of copying them, so growing does not need both blocks at once.
      const std::size_t wanted = std::min(capacity_limit_, std::max(kFirstRecords, capacity_ * 2));
      void* grown = std::realloc(static_cast<void*>(records_.get()), wanted * sizeof(Record));
      if (grown == nullptr) return failure(ErrorCode::kLimitExceeded, "out of memory while sorting; lower --memory");
      static_cast<void>(records_.release());
      records_.reset(static_cast<Record*>(grown));
      capacity_ = wanted;
      return {};
    }
    sort_and_combine();
    // Combining may have freed enough space; writing a run pays off only if the buffer is still mostly full.
    if (size_ <= capacity_limit_ / 2) return {};
    return spill();
  }

  void sort_and_combine() {
    parallel_radix_sort(std::span<Record>(records_.get(), size_), Traits::key, options_.threads);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      if (kept > 0 && Traits::combine(records_[kept - 1], records_[i])) continue;
      records_[kept++] = records_[i];
    }
    size_ = kept;
  }

  Status spill() {
    if (size_ == 0) return {};
    if (!file_.is_open()) {
      auto file = TemporaryFile::create(options_.temporary_directory);
      if (!file) return tl::unexpected<Error>(file.error());
      file_ = std::move(*file);
    }
    const std::uint64_t begin = file_.size_bytes();
    PARAPRINT_TRY(file_.append(std::as_bytes(std::span<const Record>(records_.get(), size_))));
    SortedRun run;
    run.next_bytes = begin;
    run.end_bytes = file_.size_bytes();
    runs_.push_back(std::move(run));
    statistics_.bytes_spilled += size_ * sizeof(Record);
    ++statistics_.runs_spilled;
    size_ = 0;
    return {};
  }

  Status open_runs() {
    const std::size_t share = std::max<std::size_t>(kMinimumBufferBytes, options_.memory_limit_bytes / runs_.size());
    window_records_ = std::max<std::size_t>(1, share / sizeof(Record));
    for (std::size_t index = 0; index < runs_.size(); ++index) {
      PARAPRINT_TRY(fill(runs_[index]));
      if (!runs_[index].window.empty()) heap_.push_back(index);
    }
    std::make_heap(heap_.begin(), heap_.end(), later());
    return {};
  }

  Status fill(SortedRun& run) {
    const std::uint64_t left = (run.end_bytes - run.next_bytes) / sizeof(Record);
    run.window.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, window_records_)));
    run.at = 0;
    if (run.window.empty()) {
      run.window.shrink_to_fit();
      return {};
    }
    const std::span<Record> window(run.window);
    Status read = file_.read(run.next_bytes, std::as_writable_bytes(window));
    run.next_bytes += window.size_bytes();
    return read;
  }

  // Heap order: the run with the smallest head on top. Equal heads are interchangeable, because whole records compare.
  auto later() {
    return [this](std::size_t left, std::size_t right) {
      return runs_[right].window[runs_[right].at] < runs_[left].window[runs_[left].at];
    };
  }

  const Record* peek() const {
    if (heap_.empty()) return nullptr;
    const SortedRun& run = runs_[heap_.front()];
    return &run.window[run.at];
  }

  bool next_uncombined(Record& record) {
    if (runs_.empty()) {
      if (read_at_ == size_) return false;
      record = records_[read_at_++];
      return true;
    }
    if (heap_.empty()) return false;
    std::pop_heap(heap_.begin(), heap_.end(), later());
    SortedRun& run = runs_[heap_.back()];
    record = run.window[run.at++];
    if (run.at == run.window.size()) {
      status_ = fill(run);
      if (!status_) return false;
    }
    if (run.window.empty()) {
      heap_.pop_back();
    } else {
      std::push_heap(heap_.begin(), heap_.end(), later());
    }
    return true;
  }

  ExternalSortOptions options_;
  std::size_t capacity_limit_;
  std::unique_ptr<Record[], Free> records_;  // from malloc, so that realloc can grow it
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  TemporaryFile file_;
  std::vector<SortedRun> runs_;
  std::vector<std::size_t> heap_;  // indices into runs_
  std::size_t window_records_ = 0;
  std::size_t read_at_ = 0;
  bool finished_ = false;
  Status status_;
  ExternalSortStatistics statistics_;
};

}  // namespace paraprint::inline memory
