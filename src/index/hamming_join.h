// All pairs of fingerprints within k bits of each other (Manku, Jain, Das Sarma, WWW 2007; algorithms.md 15).
//
// The f bits are cut into m > k blocks. Two fingerprints that differ in at most k bits agree in some m-k blocks, so one
// table per choice of m-k blocks (those blocks leading, partitioned) brings every such pair together once or more. A
// pair found in several tables is reported from the first only: the table of the lowest m-k blocks it agrees in. No
// list of seen pairs is kept. docs/algorithms/hamming.md explains how a table is searched and how m is chosen.
//
// Equal fingerprints are collapsed before the join: a run of g equal values is one value in it, and is reported once as
// a group. Pairs are reported between the smallest indices of their groups.
//
// Exactness: exact by default. Real pages are skewed: a template with a number in it gives 100,000 fingerprints within
// k bits of each other, and five billion pairs that say the same. `bucket_cap` bounds that: a bucket above it is
// sampled, and if an eighth of the sampled pairs are close, each member is compared with the next 64 only. The members
// stay connected, the comparisons left out are counted. Buckets that are merely full are searched exactly under any
// cap.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "memory/memory_budget.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

struct HammingJoinOptions {
  int distance_bits = 3;         // k: 0 to 31, and less than half of the fingerprint's bits
  std::uint32_t bucket_cap = 0;  // fingerprints; 0: exact
  int block_count = 0;           // m: 0 chooses by k and n; otherwise k < m <= 32. For tests and measurements.
  bool all_different = false;    // the caller knows that no two fingerprints are equal
  // Search this one of the tables, from 0: each pair comes from one table, so tables can be searched on different
  // machines. Not a table of the join: no pairs.
  std::optional<int> only_table;
  MemoryBudget* budget = nullptr;  // of the records of a table; null: memory
};

struct HammingJoinStatistics {
  int block_count = 0;  // m
  int table_count = 0;  // C(m, m-k)
  std::uint64_t distinct_values = 0;
  std::uint64_t equal_groups = 0;  // values that two or more fingerprints have
  std::uint64_t pairs = 0;         // reported, of different values
  std::uint64_t comparisons = 0;
  std::uint64_t buckets_over_cap = 0;      // and dense
  std::uint64_t comparisons_not_made = 0;  // in dense buckets over the cap
};

// Called with i < j (smallest indices of their values) and the distance, 1 to k. Order: by table, not sorted.
using HammingPairCallback = std::function<void(std::uint32_t i, std::uint32_t j, int distance_bits)>;

// Called with two or more ascending indices of equal fingerprints. Called before any pair is reported.
using EqualGroupCallback = std::function<void(std::span<const std::uint32_t> indices)>;

// How many tables the join of so many different fingerprints of 128 bits has.
int hamming_table_count_128(std::uint64_t fingerprints, int distance_bits);

// Errors: kInvalidArgument for a distance or a block count out of range, kLimitExceeded for 2^32 - 1 or more
// fingerprints, and those of the budget's disk. Memory: 8 bytes a fingerprint for 64 bits, 12 for 128, on the budget,
// beside the input; unless all are different 8 bytes more in memory while equal ones are sought, and with equal values
// their distinct copies. Threads: runs in the caller's. Deterministic.
Result<HammingJoinStatistics> hamming_join_64(std::span<const std::uint64_t> fingerprints,
                                              const HammingJoinOptions& options, const HammingPairCallback& on_pair,
                                              const EqualGroupCallback& on_equal);
Result<HammingJoinStatistics> hamming_join_128(std::span<const Fingerprint128> fingerprints,
                                               const HammingJoinOptions& options, const HammingPairCallback& on_pair,
                                               const EqualGroupCallback& on_equal);

}  // namespace paraprint
