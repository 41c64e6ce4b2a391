// Two sorts of fixed-size records by an integer key: one in place, and one for records that already have the order
// which ties shall have, with a second array.
//
// radix_sort(): most significant digit first (American flag sort: P. M. McIlroy, K. Bostic, M. D. McIlroy, "Engineering
// Radix Sort", 1993): counts one byte of the key, swaps every record into its bucket, and recurses into the buckets.
// Small buckets and records with equal keys are sorted by comparison, so the result is the total order of whole records
// and does not depend on the input order. Uses only the stack: 8 levels of 4 KiB.
//
// stable_radix_sort(): least significant digit first, one pass from one array to the other per byte. A pass writes to
// 256 places in turn and has no branch that depends on the data: a third of the time for keys of three bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

namespace paraprint::inline memory {

namespace radix_sort_internal {

// Below this many records a comparison sort is faster than counting 256 buckets (measured for 12- and 16-byte records).
inline constexpr std::size_t kSmallBucketRecords = 192;

// Swaps the records into the buckets of one digit, and returns where each one begins.
template <class Record, class Key>
std::array<std::size_t, 257> partition_by_digit(std::span<Record> records, int shift, Key key) {
  const auto digit = [&](const Record& record) { return static_cast<std::size_t>(key(record) >> shift & 0xFF); };
  std::array<std::size_t, 257> begin{};
  for (const Record& record : records) ++begin[digit(record) + 1];
  for (std::size_t bucket = 0; bucket < 256; ++bucket) begin[bucket + 1] += begin[bucket];
  std::array<std::size_t, 256> next;
  std::copy_n(begin.begin(), 256, next.begin());
  for (std::size_t bucket = 0; bucket < 256; ++bucket) {
    while (next[bucket] < begin[bucket + 1]) {
      const std::size_t home = digit(records[next[bucket]]);
      if (home == bucket) {
        ++next[bucket];
      } else {
        std::swap(records[next[bucket]], records[next[home]++]);
      }
    }
  }
  return begin;
}

template <class Record, class Key>
void sort_by_digit(std::span<Record> records, int shift, Key key) {
  if (records.size() <= kSmallBucketRecords || shift < 0) {
    std::sort(records.begin(), records.end());
    return;
  }
  const std::array<std::size_t, 257> begin = partition_by_digit(records, shift, key);
  for (std::size_t bucket = 0; bucket < 256; ++bucket) {
    const std::size_t size = begin[bucket + 1] - begin[bucket];
    if (size > 1) sort_by_digit(records.subspan(begin[bucket], size), shift - 8, key);
  }
}

}  // namespace radix_sort_internal

// Sorts by operator<, whose leading part must be key(record): key(a) < key(b) implies a < b.
// Cost: about one pass over the records per distinguishing byte of the key.
template <class Record, class Key>
void radix_sort(std::span<Record> records, Key key) {
  radix_sort_internal::sort_by_digit(records, 56, key);
}

// Sorts by key(record) < 2^(8 * kKeyBytes); equal keys keep their order. Returns the array that has the result:
// `records` if kKeyBytes is even, otherwise `scratch`, which has as many records; the other one is overwritten. Uses
// the stack: kKeyBytes * 2 KiB.
template <unsigned kKeyBytes, class Record, class Key>
std::span<Record> stable_radix_sort(std::span<Record> records, std::span<Record> scratch, Key key) {
  std::array<std::array<std::size_t, 256>, kKeyBytes> begin{};
  for (const Record& record : records) {
    for (unsigned byte = 0; byte < kKeyBytes; ++byte) ++begin[byte][key(record) >> (8 * byte) & 0xFF];
  }
  for (unsigned byte = 0; byte < kKeyBytes; ++byte) {
    std::array<std::size_t, 256>& next = begin[byte];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), std::size_t{0});
    for (const Record& record : records) scratch[next[key(record) >> (8 * byte) & 0xFF]++] = record;
    std::swap(records, scratch);
  }
  return records;
}

}  // namespace paraprint::inline memory
