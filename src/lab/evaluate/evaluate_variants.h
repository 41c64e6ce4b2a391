// Parses the variants that `paraprint eval` is to run: algorithms by name, sweeps of one parameter, ablations.
#pragma once

#include <string>
#include <vector>

#include "paraprint/evaluate.h"
#include "profile/registry.h"

namespace paraprint::inline lab::inline evaluation {

// One row of the result: an algorithm with its settings.
struct EvaluationVariant {
  std::string label;
  AlgorithmChoice choice;
  ProfileOptions profile;  // `algorithm` stays the paragraph method: variants of equal profiles are read together
  CandidateSearchOptions candidates;
  MatchOptions match;
};

// In the order algorithms, sweeps, ablation, without duplicates. Errors: kInvalidArgument for unknown algorithms and
// parameters, and for values out of range.
Result<std::vector<EvaluationVariant>> plan_variants(const EvaluateOptions& options);

// "paragraph,simhash-64:distance_bits=3,table=4,minhash" as three specifications: a piece with '=' and without ':'
// belongs to the one before.
std::vector<std::string> split_specifications(std::string_view list);

}  // namespace paraprint::inline lab::inline evaluation
