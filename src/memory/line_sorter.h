// Sorts more lines than fit in memory.
//
//   push, push, ...  ->  finish  ->  next, next, ... until false
//
// external_sort.h is for records of fixed size. Lines are collected in memory; at the limit they are sorted and written
// as a run to an unnamed file, and finish() prepares a merge of all runs. Below the limit nothing is written. The
// output is in bytewise order, equal lines once, so it depends neither on the order of arrival nor on the limit.
//
// Memory: at most memory_limit_bytes of lines and their places, then as much for the merge. Each run has a buffer for
// at least its longest line, so a very small limit can be exceeded. Threads: starts none; not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "memory/external_sort.h"
#include "memory/temporary_file.h"
#include "paraprint/result.h"

namespace paraprint::inline memory {

class LineSorter {
 public:
  explicit LineSorter(ExternalSortOptions options) : options_(std::move(options)) {}

  // `line` may have any bytes, fewer than 4 GiB. Errors: those of writing a run (kNoSpace names the directory), and
  // kCancelled. After an error the object can only be destroyed.
  Status push(std::string_view line);

  // Ends the input; next() can be called from then on.
  Status finish();

  // Gets the next line, valid until the next call; false at the end. Errors: those of reading a run, and kCancelled.
  Result<bool> next(std::string_view& line);

  std::uint64_t runs_spilled() const { return runs_.size(); }

 private:
  static constexpr std::uint64_t kLinesBetweenChecks = 1 << 14;
  static constexpr std::size_t kMinimumBufferBytes = 4096;  // of a run in the merge: one page of the file

  struct LinePlace {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
  };
  // A sorted section of the file: lines, each after its size. The window has the current line and some of those behind.
  struct SortedLines {
    std::uint64_t next_bytes = 0;
    std::uint64_t end_bytes = 0;
    std::string window;
    std::size_t at = 0;  // of the size of the current line, in the window
    std::string_view line;
  };

  void sort();
  Status spill();
  Result<bool> advance(SortedLines& run);  // false: no more lines
  Status fill(SortedLines& run, std::size_t wanted_bytes);
  Result<bool> next_of_runs(std::string_view& line);
  auto later();

  std::string_view line_at(const LinePlace& place) const {
    return std::string_view(bytes_).substr(place.begin, place.size);
  }

  ExternalSortOptions options_;
  std::string bytes_;
  std::vector<LinePlace> places_;
  TemporaryFile file_;
  std::vector<SortedLines> runs_;
  std::vector<std::size_t> heap_;  // indices into runs_
  std::size_t window_bytes_ = 0;
  std::size_t read_at_ = 0;  // in places_
  std::string last_;         // of the merge
  bool has_last_ = false;
  bool is_pending_ = false;  // the run on top of the heap is at the line that was returned
  bool finished_ = false;
  std::uint64_t lines_until_check_ = kLinesBetweenChecks;
};

}  // namespace paraprint::inline memory
