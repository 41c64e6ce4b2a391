// Compares one fingerprint with a run of others, using the widest vector instructions of the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hamming_distance.h"
#include "paraprint/model.h"

namespace paraprint::inline base {

// A run must be readable for this many elements past its end. Their values do not matter.
inline constexpr std::size_t kScanPadding = 64;

struct FingerprintRun {
  const std::uint64_t* high = nullptr;
  const std::uint64_t* low = nullptr;  // null: 64-bit fingerprints, stored in `high`
  std::size_t size = 0;
};

// Appends to `places`, in ascending order, the positions in the run of fingerprints that differ from the query in at
// most `distance_bits` bits. Without `low`, only the query's high half is compared. Thread-safe.
void find_close_in_run(const FingerprintRun& run, const Fingerprint128& query, int distance_bits,
                       std::vector<std::uint32_t>& places);

}  // namespace paraprint::inline base
