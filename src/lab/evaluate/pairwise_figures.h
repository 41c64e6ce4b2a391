// Precision, recall and F1 over pairs, at one threshold and at all thresholds. Definitions: docs/evaluation.md.
#pragma once

#include <cstdint>
#include <optional>

#include "lab/evaluate/pair_outcomes.h"
#include "paraprint/evaluate.h"

namespace paraprint::inline lab::inline evaluation {

enum class PairPart : std::uint8_t { kAll, kTrain, kTest };

// True if the unit belongs to the part.
bool is_in_part(const LabelledSet& set, PairPart part, std::uint32_t unit);

// Rates are 0 where undefined.
Rates rates_of(std::uint64_t true_positives, std::uint64_t false_positives, std::uint64_t false_negatives);

LabelCounts count_labels(const LabelledSet& set, const PairOutcomes& outcomes, PairPart part);

// Pairs that score at least `threshold` count as reported. Scores are compared in single precision, as they are stored.
PairwiseFigures pairwise_figures(const LabelledSet& set, const PairOutcomes& outcomes, double threshold, PairPart part);

enum class TopicPairs : std::uint8_t { kIgnored, kWrong };  // lenient, strict

// Pairs of equal score are added together. O(scored).
ThresholdSweep sweep_thresholds(const LabelledSet& set, const PairOutcomes& outcomes, TopicPairs topic, PairPart part);

}  // namespace paraprint::inline lab::inline evaluation
