// Which pages are worth comparing, for the page-level algorithms: each names an index and its bounds (IndexPlan), and
// fingerprint_candidates.cc is the one place that knows which code serves which index.
#pragma once

#include "profile/fingerprint_search.h"

namespace paraprint::inline lab::inline joins {

FindFingerprintCandidates find_fingerprint_candidates;

}  // namespace paraprint::inline lab::inline joins
