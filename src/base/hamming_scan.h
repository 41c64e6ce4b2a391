// Distances of one fingerprint from a run of others, with the widest vectors the machine has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hamming_distance.h"
#include "paraprint/model.h"

namespace paraprint {

// A run has to be readable for this many elements past its end; what they hold does not matter.
inline constexpr std::size_t kScanPadding = 64;

struct FingerprintRun {
  const std::uint64_t* high = nullptr;
  const std::uint64_t* low = nullptr;  // null: fingerprints of 64 bits, which are in `high`
  std::size_t size = 0;
};

// Appends the positions in the run, ascending, of fingerprints that differ from the query in at most `distance_bits`
// bits. Without `low` only the query's high half counts. Thread-safe.
void find_close_in_run(const FingerprintRun& run, const Fingerprint128& query, int distance_bits,
                       std::vector<std::uint32_t>& places);

}  // namespace paraprint
