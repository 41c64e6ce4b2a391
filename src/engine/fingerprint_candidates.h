// Which pages are worth comparing, for the page-level algorithms: each names an index and its bounds (IndexPlan), and
// this file is the one place that knows which code serves which index.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "engine/counters.h"
#include "engine/match_stage.h"
#include "fingerprint/page_fingerprinter.h"
#include "index/key_join.h"
#include "paraprint/result.h"

namespace paraprint {

struct FingerprintCandidateOptions {
  double resemblance_minimum = 0;  // pairs below it need not be found
  GroupCaps caps;                  // of pages that share one key; what is left out is counted
  SpillOptions spill;
  unsigned threads = 1;  // that an index may use; does not change the candidates
};

// Calls `visit(page_a, page_b)`, page_a < page_b, each pair once: usable pages in order of (page_a, page_b), then
// SHORT pages with SHORT pages of equal text. EMPTY pages and those with `is_left_out` (by page; may be empty) stand in
// no pair. Memory: the index's own, 16 to 32 bytes a key, beside sorters that spill.
Status find_fingerprint_candidates(const PageFingerprinter& fingerprinter,
                                   std::span<const PageFingerprint> fingerprints,
                                   std::span<const std::uint8_t> is_left_out,
                                   const FingerprintCandidateOptions& options, Counters& counters,
                                   const std::function<Status(std::uint32_t page_a, std::uint32_t page_b)>& visit);

}  // namespace paraprint
