// Estimates the figures of algorithms from a judged sample.
#pragma once

#include <vector>

#include "lab/judge/judgement_files.h"
#include "lab/judge/stratified_share.h"
#include "paraprint/judged_samples.h"

namespace paraprint::inline lab::inline judge {

// The pairs of a stratum that one algorithm found, or those that it did not find, with the decisions on them.
struct JudgedPart {
  std::uint64_t pairs = 0;
  std::uint64_t judged = 0;
  std::uint64_t copies = 0;
};
struct JudgedSplit {
  JudgedPart inside;
  JudgedPart outside;
};

// Groups for the estimates from the strata split by one algorithm. Parts are groups of their own, because how many
// pairs they have is known. A part without a decision joins the other part of its stratum, or else the nearest part of
// the same kind, or of the other kind: that of the stratum with the smallest `distance`. `borrowed` becomes the number
// of pairs in strata without any decision. Requires a decision in at least one stratum.
std::vector<JudgedGroup> groups_of(const std::vector<JudgedSplit>& splits,
                                   const std::vector<std::vector<std::uint32_t>>& distance, std::uint64_t& borrowed);

// Everything of the evaluation except its texts. Errors: kInvalidArgument if no pair has a decision.
Result<JudgedEvaluation> judged_figures(const JudgedSample& sample);

}  // namespace paraprint::inline lab::inline judge
