// Means over sets for each algorithm, and their order. A mean weighs sets equally, whatever their size, so that the
// largest set does not decide alone; costs are totals over all sets, so there the larger set does weigh more.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "lab/evaluate/evaluation_report.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

RankingRow ranking_row(const EvaluateOutcome& evaluation, std::size_t index) {
  RankingRow row;
  row.algorithm = index;
  // Squared half widths of the sets' intervals, below and above: F1 intervals are asymmetric near 1.
  double half_below = 0;
  double half_above = 0;
  double bytes = 0;
  const auto square = [](double value) { return value * value; };
  for (const SetEvaluation& set : evaluation.sets) {
    const AlgorithmEvaluation& algorithm = set.algorithms[index];
    row.pages += static_cast<double>(set.pages);
    bytes += static_cast<double>(algorithm.costs.fingerprint_bytes);
    const AlgorithmCosts& costs = algorithm.costs;
    row.seconds += costs.seconds();
    // Extraction and word segmentation are shared by all algorithms.
    row.own_seconds += costs.seconds() - costs.extract_seconds - costs.features_seconds;
    row.memory_peak_bytes = std::max(row.memory_peak_bytes, algorithm.costs.memory_peak_bytes);
    // A set with few copies says little about quality, but its costs count.
    if (!enters_mean(set)) continue;
    ++row.sets;
    row.lenient_f1 += algorithm.at_default.lenient.f1;
    row.strict_f1 += algorithm.at_default.strict.f1;
    row.precision += algorithm.at_default.lenient.precision;
    row.recall += algorithm.at_default.lenient.recall;
    row.best_f1 += algorithm.lenient.best.f1;
    row.held_out_f1 += algorithm.held_out.test.lenient.f1;
    row.average_precision += algorithm.lenient.average_precision;
    half_below += square(algorithm.at_default.lenient.f1 - algorithm.lenient_f1.low);
    half_above += square(algorithm.lenient_f1.high - algorithm.at_default.lenient.f1);
  }
  // Avoids division by zero if no set enters the means.
  const double sets = std::max<double>(1, static_cast<double>(row.sets));
  for (double* mean : {&row.lenient_f1, &row.strict_f1, &row.precision, &row.recall, &row.best_f1, &row.held_out_f1,
                       &row.average_precision}) {
    *mean /= sets;
  }
  // Standard error of a mean of independent values: root of the sum of squares, divided by their number.
  row.lenient_interval = {std::max(0.0, row.lenient_f1 - std::sqrt(half_below) / sets),
                          std::min(1.0, row.lenient_f1 + std::sqrt(half_above) / sets)};
  row.pages_per_second = row.seconds > 0 ? row.pages / row.seconds : 0;
  row.bytes_per_page = row.pages > 0 ? bytes / row.pages : 0;
  return row;
}

}  // namespace

std::vector<RankingRow> rank_algorithms(const EvaluateOutcome& evaluation) {
  std::vector<RankingRow> rows;
  if (evaluation.sets.empty()) return rows;
  for (std::size_t index = 0; index < evaluation.sets.front().algorithms.size(); ++index) {
    rows.push_back(ranking_row(evaluation, index));
  }
  std::sort(rows.begin(), rows.end(), [](const RankingRow& x, const RankingRow& y) {
    return std::tuple(-x.lenient_f1, -x.strict_f1, x.algorithm) < std::tuple(-y.lenient_f1, -y.strict_f1, y.algorithm);
  });
  return rows;
}

}  // namespace paraprint::inline lab::inline evaluation
