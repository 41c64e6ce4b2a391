// The outputs of an evaluation: the table for a terminal, results.json and results.csv, timing.json with the values
// that differ between runs, and report/index.html with plots. docs/evaluation.md describes the files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/evaluate.h"
#include "paraprint/result.h"

namespace paraprint::inline lab::inline evaluation {

// One algorithm over all sets. Means weigh all sets with at least kPositivesForMean copies equally.
struct RankingRow {
  std::size_t algorithm = 0;  // index into SetEvaluation::algorithms
  std::size_t sets = 0;       // number of sets in the means
  double lenient_f1 = 0;
  double strict_f1 = 0;
  double precision = 0;
  double recall = 0;
  double best_f1 = 0;
  double held_out_f1 = 0;
  double average_precision = 0;
  Interval lenient_interval;    // from the sets' intervals; independent, so squared half widths add up
  double pages_per_second = 0;  // over all sets together
  double bytes_per_page = 0;
  double pages = 0;  // total of all sets
  double seconds = 0;
  double own_seconds = 0;               // without extraction and word segmentation
  std::uint64_t memory_peak_bytes = 0;  // the largest
};

// Sorted by descending lenient F1, then descending strict F1, then in the requested order.
std::vector<RankingRow> rank_algorithms(const EvaluateOutcome& evaluation);

// `shown_examples`: number of misses and of false positives listed under each algorithm.
std::string evaluation_table(const EvaluateOutcome& evaluation, std::uint32_t shown_examples);

std::string evaluation_json(const EvaluateOutcome& evaluation);  // without times and memory
std::string evaluation_timing_json(const EvaluateOutcome& evaluation);
// One row per set and algorithm; without times and memory.
std::string evaluation_csv(const EvaluateOutcome& evaluation);
std::string evaluation_breakdown_csv(const EvaluateOutcome& evaluation);  // one row per set, algorithm and group
std::string evaluation_page(const EvaluateOutcome& evaluation);           // one HTML file

// Writes all files below `folder`, which is created if missing; index.html last. Errors: as AtomicFile.
Status write_evaluation(const std::string& folder, const EvaluateOutcome& evaluation);

}  // namespace paraprint::inline lab::inline evaluation
