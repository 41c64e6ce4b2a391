// usage: paraprint_sample_evaluation FOLDER. Writes the page of a fictitious evaluation for the browser test: two sets,
// one of them with clusters and hostile names; algorithms that are good, useless, and without a curve.
#include <cstdio>
#include <string>

#include "base/atomic_file.h"
#include "lab/evaluate/evaluation_report.h"

namespace {

using namespace paraprint;

constexpr std::string_view kHostileSet = "</script><script>document.title='owned'</script>";
constexpr std::string_view kHostileEdit = "<img src=x onerror=alert(1)>";

Rates rates_of(double precision, double recall) {
  return {precision, recall, precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0};
}

GroupFigures group_of(std::string_view name, std::uint64_t copies, double share) {
  GroupFigures group;
  group.name = name;
  group.labelled.near = copies;
  group.reported.near = static_cast<std::uint64_t>(share * static_cast<double>(copies));
  group.labelled.different = copies / 2;
  group.reported.different = copies / 10;
  return group;
}

// Figures of an algorithm with about a recall of `quality`; 0 finds nothing.
AlgorithmEvaluation algorithm_of(std::string label, double quality) {
  AlgorithmEvaluation algorithm;
  algorithm.label = std::move(label);
  algorithm.name = algorithm.label;
  algorithm.threshold = 0.55;
  PairwiseFigures& at = algorithm.at_default;
  at.labelled = {20, 80, 50, 400};
  at.reported = {static_cast<std::uint64_t>(20 * quality), static_cast<std::uint64_t>(80 * quality), 5, 1};
  at.lenient = rates_of(quality > 0 ? 0.99 : 0, quality);
  at.strict = rates_of(quality > 0 ? 0.94 : 0, quality);
  algorithm.lenient_f1 = {at.lenient.f1 * 0.98, std::min(1.0, at.lenient.f1 * 1.01)};
  algorithm.held_out.test.lenient = at.lenient;
  constexpr int kPoints = 20;
  for (int i = 0; quality > 0 && i < kPoints; ++i) {
    const double recall = quality * (i + 1) / kPoints;
    const Rates rates = rates_of(1 - 0.02 * i, recall);
    algorithm.lenient.curve.push_back({1 - 0.04 * i, rates.precision, rates.recall, rates.f1});
    if (rates.f1 > algorithm.lenient.best.f1) algorithm.lenient.best = algorithm.lenient.curve.back();
  }
  algorithm.lenient.average_precision = quality * 0.97;
  algorithm.by_language = {group_of("en", 60, quality), group_of("zh", 40, quality)};
  algorithm.by_edit = {group_of(kHostileEdit, 40, quality), group_of("typos", 60, quality)};
  algorithm.by_edit_alone = {group_of("typos", 20, quality)};
  algorithm.by_edit_count = {group_of("1 edit", 20, quality), group_of("2 edits", 30, quality),
                             group_of("3 edits or more", 10, quality)};
  algorithm.misses = {{"a", std::string(kHostileEdit), "near", 0.31, "typos"}};
  algorithm.costs.extract_seconds = 1;
  algorithm.costs.candidates_seconds = 0.5 * quality;
  algorithm.costs.pages_per_second = 800;
  algorithm.costs.bytes_per_page = 16 + 1000 * quality;
  algorithm.costs.memory_peak_bytes = 100 << 20;
  return algorithm;
}

SetEvaluation set_of(std::string_view name, double shift) {
  SetEvaluation set;
  set.name = name;
  set.pages = 1000;
  set.is_closed = true;
  set.labels = {20, 80, 50, 400};
  set.test_labels = {10, 40, 25, 200};
  set.copy_units = 50;
  set.algorithms = {algorithm_of("paragraph", 0.95 - shift), algorithm_of("minhash:bands=20", 0.8 - shift),
                    algorithm_of("digest-text", 0.1), algorithm_of("finds-nothing", 0)};
  return set;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: paraprint_sample_evaluation FOLDER\n");
    return 2;
  }
  EvaluateOutcome evaluation;
  evaluation.sets = {set_of(kHostileSet, 0), set_of("plain", 0.1)};
  evaluation.sets.front().algorithms.front().clusters = ClusterFigures{};
  evaluation.memory_method = "invented";
  evaluation.bootstrap_rounds = 1000;
  const std::string folder = argv[1];
  Status status = create_folders(folder);
  if (status) status = write_file_atomically(folder + "/index.html", evaluation_page(evaluation));
  if (!status) {
    std::fprintf(stderr, "%s\n", status.error().message.c_str());
    return 1;
  }
  return 0;
}
