// results.csv and breakdown.csv of an evaluation. Fixed decimals and fixed column order, so that equal evaluations give
// equal files; times and memory differ between runs and are in timing.json only.
#include <fmt/format.h>

#include <array>

#include "lab/evaluate/evaluation_report.h"
#include "text/csv_field.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

// In the order of the values in evaluation_csv().
constexpr std::array kCsvColumns = {"set",
                                    "algorithm",
                                    "threshold",
                                    "precision",
                                    "recall",
                                    "f1",
                                    "f1_low",
                                    "f1_high",
                                    "strict_f1",
                                    "strict_f1_low",
                                    "strict_f1_high",
                                    "average_precision",
                                    "best_f1",
                                    "best_threshold",
                                    "held_out_threshold",
                                    "held_out_f1",
                                    "held_out_f1_low",
                                    "held_out_f1_high",
                                    "true_positives",
                                    "false_negatives",
                                    "false_positives_lenient",
                                    "false_positives_strict",
                                    "topic_reported",
                                    "topic",
                                    "v_measure",
                                    "bcubed_f1",
                                    "bytes_per_page"};

// One row per group, labelled and reported pairs side by side for each label.
std::string csv_groups(const SetEvaluation& set, const AlgorithmEvaluation& algorithm, std::string_view breakdown,
                       const std::vector<GroupFigures>& groups) {
  std::string out;
  for (const GroupFigures& group : groups) {
    const LabelCounts& labelled = group.labelled;
    const LabelCounts& reported = group.reported;
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(set.name), csv_field(algorithm.label),
                       breakdown, csv_field(group.name), labelled.duplicate, reported.duplicate, labelled.near,
                       reported.near, labelled.topic, reported.topic, labelled.different, reported.different,
                       group.reported_unlabelled);
  }
  return out;
}

}  // namespace

std::string evaluation_csv(const EvaluateOutcome& evaluation) {
  std::string out = fmt::format("{}\n", fmt::join(kCsvColumns, ","));
  for (const SetEvaluation& set : evaluation.sets) {
    for (const AlgorithmEvaluation& algorithm : set.algorithms) {
      const PairwiseFigures& at = algorithm.at_default;
      const HeldOutFigures& held_out = algorithm.held_out;
      const std::array reals = {algorithm.threshold,
                                at.lenient.precision,
                                at.lenient.recall,
                                at.lenient.f1,
                                algorithm.lenient_f1.low,
                                algorithm.lenient_f1.high,
                                at.strict.f1,
                                algorithm.strict_f1.low,
                                algorithm.strict_f1.high,
                                algorithm.lenient.average_precision,
                                algorithm.lenient.best.f1,
                                algorithm.lenient.best.threshold,
                                held_out.threshold,
                                held_out.test.lenient.f1,
                                held_out.test_f1.low,
                                held_out.test_f1.high};
      out += fmt::format("{},{}", csv_field(set.name), csv_field(algorithm.label));
      for (const double value : reals) out += fmt::format(",{:.6f}", value);
      out += fmt::format(",{},{},{},{},{},{}", at.true_positives, at.false_negatives, at.false_positives_lenient,
                         at.false_positives_strict, at.reported.topic, at.labelled.topic);
      // Empty fields, not zeros, for a set without clusters.
      out += algorithm.clusters
                 ? fmt::format(",{:.6f},{:.6f}", algorithm.clusters->v_measure, algorithm.clusters->bcubed.f1)
                 : ",,";
      out += fmt::format(",{:.1f}\n", algorithm.costs.bytes_per_page);
    }
  }
  return out;
}

std::string evaluation_breakdown_csv(const EvaluateOutcome& evaluation) {
  std::string out =
      "set,algorithm,breakdown,group,dup,dup_reported,near,near_reported,topic,topic_reported,diff,diff_reported,"
      "unlabelled_reported\n";
  for (const SetEvaluation& set : evaluation.sets) {
    for (const AlgorithmEvaluation& algorithm : set.algorithms) {
      out += csv_groups(set, algorithm, "language", algorithm.by_language);
      out += csv_groups(set, algorithm, "page type", algorithm.by_page_type);
      out += csv_groups(set, algorithm, "edit", algorithm.by_edit);
      out += csv_groups(set, algorithm, "edit alone", algorithm.by_edit_alone);
      out += csv_groups(set, algorithm, "number of edits", algorithm.by_edit_count);
    }
  }
  return out;
}

}  // namespace paraprint::inline lab::inline evaluation
