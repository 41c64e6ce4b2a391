// results.json and timing.json of an evaluation. All values that are the same in every run go to the first, times and
// memory to the second.
#include "lab/evaluate/evaluation_report.h"
#include "lab/evaluate/json_figures.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

void put_labels(JsonWriter& json, std::string_view name, const LabelCounts& labels) {
  json.key(name);
  json.begin_object();
  json.member("dup", labels.duplicate);
  json.member("near", labels.near);
  json.member("topic", labels.topic);
  json.member("diff", labels.different);
  json.end_object();
}

void put_rates(JsonWriter& json, std::string_view name, const Rates& rates) {
  json.key(name);
  json.begin_object();
  json.member("precision", figure_of(rates.precision));
  json.member("recall", figure_of(rates.recall));
  json.member("f1", figure_of(rates.f1));
  json.end_object();
}

// null, not 0, for a share of nothing: 0 would read as "none were found".
void put_share(JsonWriter& json, std::string_view name, std::uint64_t part, std::uint64_t whole) {
  json.key(name);
  if (whole == 0) {
    json.null();
  } else {
    json.value(figure_of(static_cast<double>(part) / static_cast<double>(whole)));
  }
}

// Counts as well as rates: rates of several runs can only be combined from counts.
void put_pairwise(JsonWriter& json, std::string_view name, const PairwiseFigures& figures) {
  json.key(name);
  json.begin_object();
  put_labels(json, "labelled", figures.labelled);
  put_labels(json, "reported", figures.reported);
  json.member("reported_pairs", figures.reported_pairs);
  json.member("reported_unlabelled", figures.reported_unlabelled);
  json.member("true_positives", figures.true_positives);
  json.member("false_negatives", figures.false_negatives);
  json.member("false_positives_lenient", figures.false_positives_lenient);
  json.member("false_positives_strict", figures.false_positives_strict);
  put_rates(json, "lenient", figures.lenient);
  put_rates(json, "strict", figures.strict);
  put_share(json, "recall_dup", figures.reported.duplicate, figures.labelled.duplicate);
  put_share(json, "recall_near", figures.reported.near, figures.labelled.near);
  put_share(json, "flagged_topic", figures.reported.topic, figures.labelled.topic);
  put_share(json, "flagged_diff", figures.reported.different, figures.labelled.different);
  json.end_object();
}

// An array; `put` writes each item.
template <class Items, class Put>
void put_array(JsonWriter& json, std::string_view name, const Items& items, Put&& put) {
  json.key(name);
  json.begin_array();
  for (const auto& item : items) put(json, item);
  json.end_array();
}

void put_point(JsonWriter& json, const CurvePoint& point) {
  json.begin_array();
  for (const double value : {point.threshold, point.precision, point.recall, point.f1}) json.value(figure_of(value));
  json.end_array();
}

// The curve is an array of arrays: much smaller than objects with four names per point.
void put_sweep(JsonWriter& json, std::string_view name, const ThresholdSweep& sweep) {
  json.key(name);
  json.begin_object();
  json.member("average_precision", figure_of(sweep.average_precision));
  json.member("best_f1", figure_of(sweep.best.f1));
  json.member("best_threshold", figure_of(sweep.best.threshold));
  json.member("best_precision", figure_of(sweep.best.precision));
  json.member("best_recall", figure_of(sweep.best.recall));
  put_array(json, "curve", sweep.curve, put_point);  // [threshold, precision, recall, F1]
  json.end_object();
}

// Only for sets with clusters; figures over the documents that have a true cluster.
void put_clusters(JsonWriter& json, const ClusterFigures& figures) {
  json.key("clusters");
  json.begin_object();
  json.member("documents", figures.documents);
  json.member("truth_clusters", figures.truth_clusters);
  json.member("found_clusters", figures.found_clusters);
  json.member("adjusted_rand", figure_of(figures.adjusted_rand));
  json.member("homogeneity", figure_of(figures.homogeneity));
  json.member("completeness", figure_of(figures.completeness));
  json.member("v_measure", figure_of(figures.v_measure));
  put_rates(json, "bcubed", figures.bcubed);
  put_rates(json, "pairs", figures.pairs);
  json.end_object();
}

// A row of a breakdown: labelled and reported pairs by label; callers derive recall from both.
void put_group(JsonWriter& json, const GroupFigures& group) {
  json.begin_object();
  json.member("name", group.name);
  put_labels(json, "labelled", group.labelled);
  put_labels(json, "reported", group.reported);
  json.member("reported_unlabelled", group.reported_unlabelled);
  json.end_object();
}

// Scores of misses are 0 if the pair was not found at all.
void put_example(JsonWriter& json, const ExamplePair& pair) {
  json.begin_object();
  json.member("id_a", pair.id_a);
  json.member("id_b", pair.id_b);
  json.member("label", pair.label);
  json.member("score", figure_of(pair.score));
  if (!pair.edits.empty()) json.member("edits", pair.edits);
  json.end_object();
}

// "label" is the row's name as requested; "algorithm" has all parameters, so the row can be repeated.
void put_algorithm(JsonWriter& json, const AlgorithmEvaluation& algorithm) {
  json.begin_object();
  json.member("label", algorithm.label);
  json.member("algorithm", algorithm.canonical);
  json.member("page", algorithm.page);
  json.member("scale", algorithm.scale == AlgorithmScale::kCrawl ? "crawl" : "collection");
  json.member("is_beyond_scale", algorithm.is_beyond_scale);
  json.member("threshold", figure_of(algorithm.threshold));
  json.member("score_minimum", figure_of(algorithm.min_score));
  json.member("scored_pairs", algorithm.scored_pairs);
  json.member("pairs_verified", algorithm.pairs_verified);
  json.member("pages_short", algorithm.pages_short);
  json.member("fingerprint_bytes", algorithm.costs.fingerprint_bytes);
  json.member("bytes_per_page", figure_of(algorithm.costs.bytes_per_page));
  put_pairwise(json, "at_default", algorithm.at_default);
  put_interval(json, "precision_wilson_95", algorithm.precision);
  put_interval(json, "recall_wilson_95", algorithm.recall);
  put_interval(json, "lenient_f1_bootstrap_95", algorithm.lenient_f1);
  put_interval(json, "strict_f1_bootstrap_95", algorithm.strict_f1);
  put_sweep(json, "lenient", algorithm.lenient);
  put_sweep(json, "strict", algorithm.strict);
  // The threshold was chosen on one half of the units, all figures are of the other half.
  json.key("held_out");
  json.begin_object();
  json.member("threshold", figure_of(algorithm.held_out.threshold));
  json.member("train_f1", figure_of(algorithm.held_out.train_f1));
  put_pairwise(json, "test", algorithm.held_out.test);
  put_interval(json, "test_f1_bootstrap_95", algorithm.held_out.test_f1);
  json.end_object();
  if (algorithm.clusters) put_clusters(json, *algorithm.clusters);
  put_array(json, "by_language", algorithm.by_language, put_group);
  put_array(json, "by_page_type", algorithm.by_page_type, put_group);
  put_array(json, "by_edit", algorithm.by_edit, put_group);
  put_array(json, "by_edit_alone", algorithm.by_edit_alone, put_group);
  put_array(json, "by_edit_count", algorithm.by_edit_count, put_group);
  put_array(json, "misses", algorithm.misses, put_example);
  put_array(json, "false_positives", algorithm.false_positives, put_example);
  // Algorithm-specific values; an empty object for most.
  json.key("analysis");
  json.begin_object();
  for (const auto& [name, value] : algorithm.analysis) json.member(name, figure_of(value));
  json.end_object();
  json.end_object();
}

void put_set(JsonWriter& json, const SetEvaluation& set) {
  json.begin_object();
  json.member("name", set.name);
  json.member("world", set.is_closed ? "closed" : "open");
  json.member("pages", set.pages);
  json.member("pages_unreadable", set.pages_unreadable);
  json.member("broken_records", set.broken_records);
  put_labels(json, "labels", set.labels);
  put_labels(json, "test_labels", set.test_labels);
  json.member("clusters", set.clusters);
  json.member("copy_units", set.copy_units);
  put_array(json, "algorithms", set.algorithms, put_algorithm);
  json.end_object();
}

// CPU seconds of all threads, except match_wall_seconds.
void put_costs(JsonWriter& json, const AlgorithmEvaluation& algorithm) {
  const AlgorithmCosts& costs = algorithm.costs;
  const auto seconds = [](double value) { return Real{value, kSecondsDigits}; };
  json.begin_object();
  json.member("label", algorithm.label);
  json.member("extract_seconds", seconds(costs.extract_seconds));
  json.member("features_seconds", seconds(costs.features_seconds));
  json.member("fingerprint_seconds", seconds(costs.fingerprint_seconds));
  json.member("candidates_seconds", seconds(costs.candidates_seconds));
  json.member("verify_seconds", seconds(costs.verify_seconds));
  json.member("match_wall_seconds", seconds(costs.match_wall_seconds));
  json.member("pages_per_second", seconds(costs.pages_per_second));
  json.member("memory_peak_bytes", costs.memory_peak_bytes);
  json.member("memory_baseline_bytes", costs.memory_baseline_bytes);
  json.end_object();
}

void put_set_costs(JsonWriter& json, const SetEvaluation& set) {
  json.begin_object();
  json.member("name", set.name);
  json.member("pages", set.pages);
  put_array(json, "algorithms", set.algorithms, put_costs);
  json.end_object();
}

}  // namespace

std::string evaluation_json(const EvaluateOutcome& evaluation) {
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  json.member("seed", evaluation.seed);
  json.member("bootstrap_rounds", evaluation.bootstrap_rounds);
  put_array(json, "sets", evaluation.sets, put_set);
  json.end_object();
  return json.take() + "\n";
}

std::string evaluation_timing_json(const EvaluateOutcome& evaluation) {
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  json.member("threads", std::uint64_t{evaluation.threads});
  json.member("memory_method", evaluation.memory_method);
  put_array(json, "sets", evaluation.sets, put_set_costs);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace paraprint::inline lab::inline evaluation
