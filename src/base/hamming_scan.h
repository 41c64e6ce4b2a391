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

// Fingerprints of 128 bits in memory as the functions below read them.
class FingerprintColumns {
 public:
  // Replaces all of them with fingerprint_of(item) of each item.
  template <class Items, class FingerprintOf>
  void assign(const Items& items, FingerprintOf fingerprint_of) {
    high_.resize(items.size() + kScanPadding);
    low_.resize(items.size() + kScanPadding);
    std::size_t place = 0;
    for (const auto& item : items) {
      const Fingerprint128& fingerprint = fingerprint_of(item);
      high_[place] = fingerprint.high;
      low_[place++] = fingerprint.low;
    }
  }

  // Those at the places [begin, end).
  FingerprintRun run(std::size_t begin, std::size_t end) const {
    return {high_.data() + begin, low_.data() + begin, end - begin};
  }

 private:
  std::vector<std::uint64_t> high_;
  std::vector<std::uint64_t> low_;
};

// Appends to `places`, in ascending order, the positions in the run of fingerprints that differ from the query in at
// most `distance_bits` bits. Without `low`, only the query's high half is compared. Thread-safe.
void find_close_in_run(const FingerprintRun& run, const Fingerprint128& query, int distance_bits,
                       std::vector<std::uint32_t>& places);

// Writes the distance from the query to each fingerprint of the run and returns how many are at most `distance_bits`.
// For runs in which many may be close. `distances` must have room for kScanPadding more than the run has elements;
// what is written there does not matter. Thread-safe.
std::size_t distances_in_run(const FingerprintRun& run, const Fingerprint128& query, int distance_bits,
                             std::uint8_t* distances);

}  // namespace paraprint::inline base
