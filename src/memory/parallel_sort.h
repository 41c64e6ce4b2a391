// radix_sort() on several threads: one thread partitions the records by their first digits until there are pieces for
// all, and any thread sorts a piece. The result is the same for any number of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/start_thread.h"
#include "memory/radix_sort.h"
#include "paraprint/result.h"

namespace paraprint::inline memory {

// As radix_sort(), on up to `threads` threads, of which the calling one is the first. If the system provides fewer,
// those do all the work. Cost on one thread: as radix_sort(); the first pass over the records is never divided. Memory:
// a few hundred pieces of 32 bytes.
template <class Record, class Key>
void parallel_radix_sort(std::span<Record> records, Key key, unsigned threads) {
  // With fewer, starting threads takes longer than the work.
  constexpr std::size_t kRecordsForThreads = std::size_t{1} << 15;
  constexpr std::size_t kPiecesPerThread = 4;
  if (threads < 2 || records.size() < kRecordsForThreads) return radix_sort(records, key);
  struct UnsortedPart {
    std::span<Record> records;
    int shift = 56;
  };
  std::vector<UnsortedPart> pieces = {{records}};
  const std::size_t largest = records.size() / (std::size_t{threads} * kPiecesPerThread);
  for (std::size_t at = 0; at < pieces.size();) {
    const UnsortedPart piece = pieces[at];
    if (piece.records.size() <= largest || piece.shift < 0) {
      ++at;
      continue;
    }
    pieces[at] = pieces.back();
    pieces.pop_back();
    const auto begin = radix_sort_internal::partition_by_digit(piece.records, piece.shift, key);
    for (std::size_t bucket = 0; bucket < 256; ++bucket) {
      const std::size_t size = begin[bucket + 1] - begin[bucket];
      if (size > 1) pieces.push_back({piece.records.subspan(begin[bucket], size), piece.shift - 8});
    }
  }
  std::atomic<std::size_t> next = 0;
  const auto sort_pieces = [&] {
    for (std::size_t at = next++; at < pieces.size(); at = next++) {
      radix_sort_internal::sort_by_digit(pieces[at].records, pieces[at].shift, key);
    }
  };
  std::vector<std::thread> helpers;
  helpers.reserve(threads);
  while (helpers.size() + 1 < threads) {
    Result<std::thread> started = start_thread("sorts", sort_pieces);
    if (!started) break;
    helpers.push_back(std::move(*started));
  }
  sort_pieces();
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace paraprint::inline memory
