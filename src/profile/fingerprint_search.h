// The search for pages worth comparing by a page-level algorithm, as the run calls it. The laboratory has the one
// implementation (lab/joins/fingerprint_candidates.h) and registers it with its algorithms.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/counters.h"
#include "fingerprint/page_fingerprinter.h"
#include "index/key_join.h"
#include "memory/spill_options.h"
#include "paraprint/result.h"

namespace paraprint::inline profile {

struct FingerprintCandidateOptions {
  double resemblance_minimum = 0;  // pairs below it need not be found
  GroupCaps caps;                  // for pages that share one key; pairs left out are counted
  SpillOptions spill;
  unsigned threads = 1;  // for indexes that can use them; does not change the candidates
};

// Calls `visit(page_a, page_b)`, page_a < page_b, once for each pair: usable pages in order of (page_a, page_b), then
// SHORT pages with SHORT pages of equal text. EMPTY pages and those with `is_left_out` (by page; may be empty) are in
// no pair. Memory: the index's own, 16 to 32 bytes per key, in addition to sorters that spill.
using FindFingerprintCandidates =
    Status(const PageFingerprinter& fingerprinter, std::span<const PageFingerprint> fingerprints,
           std::span<const std::uint8_t> is_left_out, const FingerprintCandidateOptions& options, Counters& counters,
           const std::function<Status(std::uint32_t page_a, std::uint32_t page_b)>& visit);

}  // namespace paraprint::inline profile
