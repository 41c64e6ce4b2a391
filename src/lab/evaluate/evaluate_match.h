// Runs one algorithm over spooled pages and measures its costs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/counters.h"
#include "engine/match_stage.h"
#include "lab/evaluate/evaluate_inputs.h"
#include "lab/evaluate/evaluate_spool.h"
#include "lab/evaluate/evaluate_variants.h"
#include "lab/evaluate/pair_outcomes.h"
#include "paraprint/evaluate.h"

namespace paraprint::inline lab::inline evaluation {

struct MatchedVariant {
  FoundPairs found;
  double threshold = 0;
  double min_score = 0;  // pairs below it were not searched for
  Counters counters;
  AlgorithmCosts costs;
};

// Uses the same functions as a dedup run. `log` is the variant's index in spool.fingerprints; it is ignored for the
// paragraph method. Only one call may run in a process at a time, because peak memory is measured per process. Errors:
// those of reading the spool and of spilling.
Result<MatchedVariant> match_variant(const EvaluationVariant& variant, const EvaluationSpool& spool, std::size_t log,
                                     const SpillOptions& spill, unsigned threads);

// Takes what variants find instead of judging it by labels: src/lab/judge/ samples it.
class VariantReceiver {
 public:
  virtual ~VariantReceiver() = default;
  // `number` is the variant's index. Variants that read pages in the same way come one after the other and share the
  // spool; pages have the same numbers in all spools.
  virtual Status add(std::size_t number, const EvaluationVariant& variant, const MatchedVariant& matched,
                     const EvaluationSpool& spool) = 0;
  // After the last variant that uses the spool, which is then removed.
  virtual Status end_group(const ProfileOptions& profile, EvaluationSpool& spool) = 0;
};

struct ReadCounts {
  std::uint64_t pages_unreadable = 0;
  std::uint64_t broken_records = 0;
};

// Runs the variants on the pages of `files`, whose labels are not read. Errors: those of the steps and of `receiver`.
Result<ReadCounts> match_variants(const EvaluateOptions& options, const LabelledSetFiles& files,
                                  const std::vector<EvaluationVariant>& variants, const RunControl& control,
                                  VariantReceiver& receiver);

}  // namespace paraprint::inline lab::inline evaluation
