// Outcomes are sorted by descending score, so figures at a threshold are a prefix and a sweep is a single pass that
// adds pairs and evaluates after each distinct score.
#include "lab/evaluate/pairwise_figures.h"

#include <array>

namespace paraprint::inline lab::inline evaluation {
namespace {

void count_outcome(const PairOutcome& outcome, PairwiseFigures& figures) {
  const std::uint64_t pairs = outcome.weight;
  switch (outcome.outcome) {
    case OutcomeClass::kDuplicate:
      figures.reported.duplicate += pairs;
      break;
    case OutcomeClass::kNear:
      figures.reported.near += pairs;
      break;
    case OutcomeClass::kTopic:
      figures.reported.topic += pairs;
      break;
    case OutcomeClass::kDifferent:
      figures.reported.different += pairs;
      break;
    case OutcomeClass::kUnlabelled:
      figures.reported_unlabelled += pairs;
      break;
  }
  figures.reported_pairs += pairs;
}

// Keeps at most kCurvePointsMaximum points, evenly spread, including the first and the last. Average precision and best
// threshold are computed before, from all points.
void thin_out(std::vector<CurvePoint>& curve) {
  if (curve.size() <= kCurvePointsMaximum) return;
  std::vector<CurvePoint> kept;
  for (std::size_t i = 0; i < kCurvePointsMaximum; ++i) {
    kept.push_back(curve[i * (curve.size() - 1) / (kCurvePointsMaximum - 1)]);
  }
  curve = std::move(kept);
}

}  // namespace

bool is_in_part(const LabelledSet& set, PairPart part, std::uint32_t unit) {
  return part == PairPart::kAll || (set.is_test_unit[unit] != 0) == (part == PairPart::kTest);
}

Rates rates_of(std::uint64_t true_positives, std::uint64_t false_positives, std::uint64_t false_negatives) {
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0.0; };
  Rates rates;
  const auto found = static_cast<double>(true_positives);
  rates.precision = share(found, found + static_cast<double>(false_positives));
  rates.recall = share(found, found + static_cast<double>(false_negatives));
  rates.f1 = share(2 * rates.precision * rates.recall, rates.precision + rates.recall);
  return rates;
}

LabelCounts count_labels(const LabelledSet& set, const PairOutcomes& outcomes, PairPart part) {
  std::array<std::uint64_t, 4> counts{};
  for (std::size_t i = 0; i < set.pairs.size(); ++i) {
    if (is_in_part(set, part, outcomes.unit_of_truth[i])) ++counts[static_cast<std::size_t>(set.pairs[i].label)];
  }
  return {counts[0], counts[1], counts[2], counts[3]};
}

PairwiseFigures pairwise_figures(const LabelledSet& set, const PairOutcomes& outcomes, double threshold,
                                 PairPart part) {
  PairwiseFigures figures;
  figures.labelled = count_labels(set, outcomes, part);
  for (const PairOutcome& outcome : outcomes.scored) {
    // Sorted by descending score: no later pair is reported.
    if (outcome.score < static_cast<float>(threshold)) break;
    if (is_in_part(set, part, outcome.unit)) count_outcome(outcome, figures);
  }
  figures.true_positives = figures.reported.positives();
  figures.false_negatives = figures.labelled.positives() - figures.true_positives;
  // In an open world unlabelled pairs are unknown, not wrong. Lenient figures ignore
  // `topic` pairs, strict ones count them as wrong.
  figures.false_positives_lenient = figures.reported.different + (set.is_closed ? figures.reported_unlabelled : 0);
  figures.false_positives_strict = figures.false_positives_lenient + figures.reported.topic;
  figures.lenient = rates_of(figures.true_positives, figures.false_positives_lenient, figures.false_negatives);
  figures.strict = rates_of(figures.true_positives, figures.false_positives_strict, figures.false_negatives);
  return figures;
}

ThresholdSweep sweep_thresholds(const LabelledSet& set, const PairOutcomes& outcomes, TopicPairs topic, PairPart part) {
  ThresholdSweep sweep;
  const std::uint64_t positives = count_labels(set, outcomes, part).positives();
  std::uint64_t true_positives = 0;
  std::uint64_t false_positives = 0;
  double last_recall = 0;
  // Pairs of equal score cannot be separated by any threshold, so the curve has one point for all of them.
  const auto end_of_score = [&](float score) {
    const Rates rates = rates_of(true_positives, false_positives, positives - true_positives);
    sweep.average_precision += (rates.recall - last_recall) * rates.precision;
    last_recall = rates.recall;
    const CurvePoint point{score, rates.precision, rates.recall, rates.f1};
    // Strictly greater: of equal F1 the highest threshold is kept.
    if (point.f1 > sweep.best.f1) sweep.best = point;
    sweep.curve.push_back(point);
  };
  bool has_pairs = false;
  float score = 0;
  for (const PairOutcome& outcome : outcomes.scored) {
    if (!is_in_part(set, part, outcome.unit)) continue;
    const bool is_copy = outcome.outcome <= OutcomeClass::kNear;
    const bool is_wrong = outcome.outcome == OutcomeClass::kDifferent ||
                          (outcome.outcome == OutcomeClass::kUnlabelled && set.is_closed) ||
                          (outcome.outcome == OutcomeClass::kTopic && topic == TopicPairs::kWrong);
    // Ignored pairs make no point: precision and recall do not change there.
    if (!is_copy && !is_wrong) continue;
    if (has_pairs && outcome.score != score) end_of_score(score);
    has_pairs = true;
    score = outcome.score;
    (is_copy ? true_positives : false_positives) += outcome.weight;
  }
  if (has_pairs) end_of_score(score);
  thin_out(sweep.curve);
  return sweep;
}

}  // namespace paraprint::inline lab::inline evaluation
