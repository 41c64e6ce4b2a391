// All pairs of fingerprints within k bits of each other (G. S. Manku, A. Jain, A. Das Sarma, WWW 2007).
//
// The f bits are cut into m > k blocks. Two fingerprints that differ in at most k bits agree in some m-k blocks, so one
// table per choice of m-k blocks, partitioned by those blocks, brings every such pair together at least once. A pair
// found in several tables is reported by one of them only: the table of the lowest m-k blocks in which the pair agrees.
// So no list of seen pairs is needed. docs/algorithms/hamming.md explains how a table is searched and how m is chosen.
//
// Equal fingerprints are collapsed before the join: g equal values take part as one value and are reported once, as a
// group. Pairs are reported between the smallest indices of their groups.
//
// Exact by default. Real pages are skewed: a template with a number in it yields 100,000 fingerprints within k bits of
// each other, and five billion redundant pairs. `bucket_cap` bounds that: a larger bucket is sampled, and if an eighth
// of the sampled pairs are close, each member is compared with its next 64 successors only. The members stay connected,
// and skipped comparisons are counted. Buckets that are merely large are split by further bits and searched exactly; if
// more than 8,192 members cannot be separated, which does not happen by chance, each is compared with as many
// successors as the cap says.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "memory/memory_budget.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline index {

// A part of a join that is divided among tasks. Every bucket of every table belongs to exactly one part.
struct HammingPart {
  std::uint64_t fingerprints = 0;  // distinct ones in the whole join, by which tables and buckets are planned
  std::uint32_t part = 0;
  std::uint32_t parts = 1;
};

struct HammingJoinOptions {
  int distance_bits = 3;         // k: 0 to 31, and less than half of the fingerprint's bits
  std::uint32_t bucket_cap = 0;  // fingerprints; 0: exact
  int block_count = 0;           // m: 0 chooses by k and n; otherwise k < m <= 32. For tests and measurements.
  bool all_different = false;    // the caller guarantees that no two fingerprints are equal
  // Search only the buckets of one part of a larger join. The fingerprints given must include all of that join with a
  // bucket in the part (hamming_parts.h), in the order that they have there. All parts together report the pairs of the
  // larger join, each once, with the same statistics.
  std::optional<HammingPart> part = {};
  MemoryBudget* budget = nullptr;  // for the records of a table; null: plain memory
  // Tables that are searched at the same time, each with records of its own in plain memory. Only where these take a
  // small part of the budget; otherwise one.
  unsigned threads = 1;
};

struct HammingJoinStatistics {
  int block_count = 0;  // m
  int table_count = 0;  // C(m, m-k)
  std::uint64_t distinct_values = 0;
  std::uint64_t equal_groups = 0;  // values shared by two or more fingerprints
  std::uint64_t pairs = 0;         // reported, of different values
  std::uint64_t comparisons = 0;
  std::uint64_t buckets_over_cap = 0;      // above the cap and dense
  std::uint64_t comparisons_not_made = 0;  // in those buckets
};

// Called with i < j (smallest indices of their values) and the distance, 1 to k, by one thread at a time. Order: by
// table, not sorted; with several threads any.
using HammingPairCallback = std::function<void(std::uint32_t i, std::uint32_t j, int distance_bits)>;

// Called with two or more ascending indices of equal fingerprints. Called before any pair is reported.
using EqualGroupCallback = std::function<void(std::span<const std::uint32_t> indices)>;

// Errors: kInvalidArgument for a distance or a block count out of range, kLimitExceeded for 2^32 - 1 or more
// fingerprints, and disk errors of the budget. Memory in addition to the input, on the budget: 8 bytes per 64-bit or 12
// per 128-bit fingerprint. In plain memory, unless all_different: 8 bytes per fingerprint while equal values are
// searched for, and a copy of the distinct values if there are equal ones. The pairs reported are always the same.
Result<HammingJoinStatistics> hamming_join_64(std::span<const std::uint64_t> fingerprints,
                                              const HammingJoinOptions& options, const HammingPairCallback& on_pair,
                                              const EqualGroupCallback& on_equal);
Result<HammingJoinStatistics> hamming_join_128(std::span<const Fingerprint128> fingerprints,
                                               const HammingJoinOptions& options, const HammingPairCallback& on_pair,
                                               const EqualGroupCallback& on_equal);

}  // namespace paraprint::inline index
