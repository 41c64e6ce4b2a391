// The Hamming join for fingerprints that memory should not hold: they stay in a file, and each table is one external
// sort by its key (algorithms.md 15 "Batch", with a sort in place of the scan).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/external_sort.h"
#include "base/temporary_file.h"
#include "index/hamming_join.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

// Fingerprints in a temporary file, numbered in the order they were pushed. One thread at a time.
class FingerprintFile {
 public:
  static Result<FingerprintFile> create(const std::string& directory);

  Status push(const Fingerprint128& fingerprint);
  Status finish();  // after the last push
  std::uint32_t size() const { return size_; }

  // Calls `visit(index, fingerprint)`, which answers a Status, for all of them in order.
  Status for_each(const std::function<Status(std::uint32_t, const Fingerprint128&)>& visit) const;

 private:
  Status flush();

  TemporaryFile file_;
  std::vector<Fingerprint128> buffer_;
  std::uint32_t size_ = 0;
};

// As hamming_join_128, for fingerprints that are all different (pairs of equal ones are not reported). `sort` says
// where the tables are sorted and with how much memory; the largest bucket comes to that, 28 bytes a fingerprint.
// Buckets are not split: one that is merely full costs its square. In dense buckets over the cap other pairs are left
// out than in memory, so a capped answer may depend on which of the two joins ran; an answer without overflow does not.
Result<HammingJoinStatistics> hamming_join_128_external(const FingerprintFile& fingerprints,
                                                        const HammingJoinOptions& options,
                                                        const ExternalSortOptions& sort,
                                                        const HammingPairCallback& on_pair);

}  // namespace paraprint
