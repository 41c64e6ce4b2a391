// Turns found pairs into figures. Pairs are scored once (judge_pairs); every figure is then a pass over the outcomes,
// so all of them describe the same pairs. The bootstrap and the train and test halves move whole units of pages, never
// single pairs: pairs of one cluster are not independent (evaluate/labelled_set.h).
#include "lab/evaluate/evaluate_judge.h"

#include <utility>

#include "lab/evaluate/breakdown.h"
#include "lab/evaluate/cluster_figures.h"
#include "lab/evaluate/intervals.h"
#include "lab/evaluate/pairwise_figures.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

std::uint64_t counter_of(const Counters& counters, std::string_view name) {
  const auto found = counters.find(name);
  return found == counters.end() ? 0 : found->second;
}

// Chooses the threshold on one half of the units and reports F1 on the other, so that the figure is not fitted to the
// pairs it is measured on. If no threshold finds a positive pair in the training half, the default threshold is kept.
HeldOutFigures held_out_figures(const LabelledSet& set, const PairOutcomes& outcomes, double default_threshold,
                                const EvaluateOptions& options) {
  HeldOutFigures figures;
  const ThresholdSweep train = sweep_thresholds(set, outcomes, TopicPairs::kIgnored, PairPart::kTrain);
  figures.threshold = train.best.f1 > 0 ? train.best.threshold : default_threshold;
  figures.train_f1 = train.best.f1;
  figures.test = pairwise_figures(set, outcomes, figures.threshold, PairPart::kTest);
  figures.test_f1 =
      bootstrap_f1(set, outcomes, figures.threshold, PairPart::kTest, options.seed, options.bootstrap).lenient;
  return figures;
}

}  // namespace

AlgorithmEvaluation judge_variant(const EvaluateOptions& options, const EvaluationVariant& variant,
                                  const LabelledSet& set, const PageTable& pages, const MatchedVariant& matched) {
  AlgorithmEvaluation result;
  result.label = variant.label;
  result.name = variant.choice.row->name;
  result.canonical = variant.canonical;
  result.page = variant.choice.row->page;
  result.scale = variant.choice.row->scale;
  result.is_beyond_scale = result.scale == AlgorithmScale::kCollection && pages.size() > kCollectionPages;
  result.threshold = matched.threshold;
  result.min_score = matched.min_score;
  result.scored_pairs = matched.found.pairs.size();
  result.pairs_verified = counter_of(matched.counters, "pairs_verified");
  result.pages_short = counter_of(matched.counters, "pages_short");
  result.costs = matched.costs;
  // Lenient figures ignore pairs labelled "topic", strict ones count them as wrong; precision is lenient.
  const PairOutcomes outcomes = judge_pairs(set, matched.found);
  result.at_default = pairwise_figures(set, outcomes, matched.threshold, PairPart::kAll);
  const PairwiseFigures& figures = result.at_default;
  result.precision = wilson_interval(figures.true_positives, figures.true_positives + figures.false_positives_lenient);
  result.recall = wilson_interval(figures.true_positives, figures.labelled.positives());
  const F1Intervals intervals =
      bootstrap_f1(set, outcomes, matched.threshold, PairPart::kAll, options.seed, options.bootstrap);
  result.lenient_f1 = intervals.lenient;
  result.strict_f1 = intervals.strict;
  result.lenient = sweep_thresholds(set, outcomes, TopicPairs::kIgnored, PairPart::kAll);
  result.strict = sweep_thresholds(set, outcomes, TopicPairs::kWrong, PairPart::kAll);
  result.held_out = held_out_figures(set, outcomes, matched.threshold, options);
  if (set.has_clusters) result.clusters = cluster_figures(set, matched.found, matched.threshold);
  result.by_language = figures_by_language(set, outcomes, matched.found, matched.threshold);
  result.by_page_type = figures_by_page_type(set, outcomes, matched.found, matched.threshold);
  result.by_edit = figures_by_edit(set, outcomes, matched.threshold);
  result.by_edit_alone = figures_by_edit_alone(set, outcomes, matched.threshold);
  result.by_edit_count = figures_by_edit_count(set, outcomes, matched.threshold);
  WorstPairs worst = worst_pairs(set, outcomes, matched.found, matched.threshold, options.examples,
                                 [&](std::uint32_t page) { return pages.id(page); });
  result.misses = std::move(worst.misses);
  result.false_positives = std::move(worst.false_positives);
  return result;
}

}  // namespace paraprint::inline lab::inline evaluation
