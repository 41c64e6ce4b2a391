// Scores the pairs that one algorithm found on one set against the labels: all figures of docs/evaluation.md.
#pragma once

#include "lab/evaluate/evaluate_match.h"
#include "lab/evaluate/labelled_set.h"
#include "paraprint/evaluate.h"

namespace paraprint::inline lab::inline evaluation {

AlgorithmEvaluation judge_variant(const EvaluateOptions& options, const EvaluationVariant& variant,
                                  const LabelledSet& set, const PageTable& pages, const MatchedVariant& matched);

}  // namespace paraprint::inline lab::inline evaluation
