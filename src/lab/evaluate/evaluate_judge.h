// What was found, against the labels: every figure of one algorithm on one set.
#pragma once

#include "lab/evaluate/evaluate_match.h"
#include "lab/evaluate/labelled_set.h"
#include "paraprint/evaluate.h"

namespace paraprint {

AlgorithmEvaluation judge_variant(const EvaluateOptions& options, const EvaluationVariant& variant,
                                  const LabelledSet& set, const PageTable& pages, const MatchedVariant& matched);

}  // namespace paraprint
