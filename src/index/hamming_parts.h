// Which parts of a divided Hamming join need a fingerprint (HammingPart of hamming_join.h): those that have its bucket
// in any table. A task that joins a part needs nothing else, so the join can be divided among any number of tasks, and
// no task has to hold all fingerprints.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "paraprint/model.h"

namespace paraprint::inline index {

class HammingParts {
 public:
  // The join of `fingerprints` distinct fingerprints of `width_bits` (64 or 128) within `distance_bits` (1 to 31), in
  // `parts` parts.
  HammingParts(std::uint64_t fingerprints, int distance_bits, std::uint32_t parts, int width_bits = 128);
  ~HammingParts();

  // The parts that need the fingerprint, ascending, each once: at most one per table. Valid until the next call. Of 64
  // bits, a fingerprint is in `high`.
  std::span<const std::uint32_t> of(const Fingerprint128& fingerprint);

 private:
  struct Plan;
  template <class Blocks, class Word>
  void find(const Blocks& blocks, Word word);

  std::unique_ptr<const Plan> plan_;
  std::uint32_t parts_;
  std::vector<std::uint32_t> found_;
};

}  // namespace paraprint::inline index
