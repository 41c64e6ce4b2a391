// Parses the variants that `paraprint eval` is to run: algorithms and presets by name, sweeps of settings, ablations.
#pragma once

#include <string>
#include <vector>

#include "paraprint/evaluate.h"
#include "profile/registry.h"

namespace paraprint::inline lab::inline evaluation {

// One row of the result: an algorithm with its settings.
struct EvaluationVariant {
  std::string label;
  std::string canonical;  // the algorithm with all parameters, and the options below that differ from their defaults
  AlgorithmChoice choice;
  ProfileOptions profile;  // `algorithm` stays the paragraph method: variants of equal profiles are read together
  CandidateSearchOptions candidates;
  MatchOptions match;
};

// An evaluation of more rows would not end: a sweep of several settings has the product of their numbers of values.
inline constexpr std::size_t kVariantsMaximum = 1000;

// In the order algorithms, sweeps, ablation, without duplicates. Errors: kInvalidArgument for unknown algorithms and
// settings, for values out of range, and for more than kVariantsMaximum variants.
Result<std::vector<EvaluationVariant>> plan_variants(const EvaluateOptions& options);

// "paragraph,simhash-64:distance_bits=3,table=4,minhash" as three specifications: a piece with '=' and without ':'
// belongs to the one before.
std::vector<std::string> split_specifications(std::string_view list);

}  // namespace paraprint::inline lab::inline evaluation
