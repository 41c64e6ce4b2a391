// The table of an evaluation for a terminal: fixed columns, wide enough for the longest algorithm name. Names and ids
// come from files, so they pass through append_terminal_text(), which removes escape sequences.
#include <fmt/format.h>

#include <algorithm>

#include "lab/evaluate/evaluation_report.h"
#include "report/text_safety.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

constexpr double kBytesOfMegabyte = 1 << 20;
// Maximum number of algorithms with breakdowns; more would fill screens. The report and results.json have all.
constexpr std::size_t kAlgorithmsBrokenDown = 6;
constexpr std::size_t kNameColumnsMinimum = 18;

std::string shown(std::string_view text) {
  std::string out;
  append_terminal_text(out, text);
  return out;
}

// All tables share the width, so that columns of different sets can be compared by eye.
std::size_t name_columns(const EvaluateOutcome& evaluation) {
  std::size_t columns = kNameColumnsMinimum;
  for (const SetEvaluation& set : evaluation.sets) {
    for (const AlgorithmEvaluation& algorithm : set.algorithms) columns = std::max(columns, algorithm.label.size() + 1);
  }
  return columns;
}

// "-" for a share of nothing, which is not a 0.
std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.3f}", static_cast<double>(part) / static_cast<double>(whole));
}

std::string label_text(const LabelCounts& labels) {
  return fmt::format("{} dup, {} near, {} topic, {} diff", labels.duplicate, labels.near, labels.topic,
                     labels.different);
}

// Unreadable pages and broken records are stated only if there are any.
std::string set_head(const SetEvaluation& set) {
  std::string text = fmt::format("{}: {} pages, {} world; {}", shown(set.name), set.pages,
                                 set.is_closed ? "closed" : "open", label_text(set.labels));
  if (set.clusters > 0) text += fmt::format("; {} clusters", set.clusters);
  text += fmt::format("; copies in {} groups", set.copy_units);
  if (set.pages_unreadable > 0) text += fmt::format("; {} pages without anything to read", set.pages_unreadable);
  if (set.broken_records > 0) text += fmt::format("; {} broken records", set.broken_records);
  return text + "\n";
}

// Bootstrap intervals are of lenient F1; "at" is the threshold of the best F1.
std::string set_rows(const SetEvaluation& set, std::size_t columns) {
  std::string out =
      fmt::format("{:<{}} {:>6} {:>6} {:>6} {:>13} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>8} {:>8} {:>7}\n",
                  "algorithm", columns, "P", "R", "F1", "95 %", "strict", "r.dup", "r.near", "topic", "AP", "bestF1",
                  "at", "heldF1", "pages/s", "B/page", "peak MB");
  for (const AlgorithmEvaluation& algorithm : set.algorithms) {
    const PairwiseFigures& figures = algorithm.at_default;
    out += fmt::format(
        "{:<{}} {:6.3f} {:6.3f} {:6.3f}   {:.3f}-{:.3f} {:6.3f} {:>6} {:>6} {:>6} {:6.3f} {:6.3f} {:6.3f} {:6.3f} "
        "{:8.0f} {:8.0f} {:7.0f}\n",
        algorithm.label, columns, figures.lenient.precision, figures.lenient.recall, figures.lenient.f1,
        algorithm.lenient_f1.low, algorithm.lenient_f1.high, figures.strict.f1,
        share(figures.reported.duplicate, figures.labelled.duplicate),
        share(figures.reported.near, figures.labelled.near), share(figures.reported.topic, figures.labelled.topic),
        algorithm.lenient.average_precision, algorithm.lenient.best.f1, algorithm.lenient.best.threshold,
        algorithm.held_out.test.lenient.f1, algorithm.costs.pages_per_second, algorithm.costs.bytes_per_page,
        static_cast<double>(algorithm.costs.memory_peak_bytes) / kBytesOfMegabyte);
  }
  for (const AlgorithmEvaluation& algorithm : set.algorithms) {
    // Algorithms meant for collections are run on more pages than that, too, but their rows are marked.
    if (!algorithm.is_beyond_scale) continue;
    out += fmt::format("{}: its literature claims collections, not {} pages\n", algorithm.label, set.pages);
  }
  return out;
}

std::string analysis_rows(const SetEvaluation& set) {
  std::string out;
  for (const AlgorithmEvaluation& algorithm : set.algorithms) {
    for (const auto& [name, value] : algorithm.analysis) {
      out += fmt::format("{}: {} {:.4f}\n", algorithm.label, name, value);
    }
  }
  return out;
}

std::string group_head(std::string_view kind, const AlgorithmEvaluation& algorithm) {
  return fmt::format("\n{}, {}:\n{:<24} {:>8} {:>7} {:>8} {:>7} {:>8} {:>7}", algorithm.label, kind, "", "copies",
                     "found", "topic", "rep.", "others", "rep.");
}

// The last column counts wrongly reported pairs; in a closed world that includes unlabelled ones.
std::string group_row(const GroupFigures& group, bool is_closed) {
  const std::uint64_t wrong = group.reported.different + (is_closed ? group.reported_unlabelled : 0);
  return fmt::format("{:<24} {:>8} {:>7} {:>8} {:>7} {:>8} {:>7}", shown(group.name), group.labelled.positives(),
                     share(group.reported.positives(), group.labelled.positives()), group.labelled.topic,
                     share(group.reported.topic, group.labelled.topic), group.labelled.different, wrong);
}

// A single group would repeat the totals.
std::string page_rows(std::string_view kind, const AlgorithmEvaluation& algorithm,
                      const std::vector<GroupFigures>& groups, bool is_closed) {
  if (groups.size() < 2) return {};
  std::string out = group_head(kind, algorithm) + "\n";
  for (const GroupFigures& group : groups) out += group_row(group, is_closed) + "\n";
  return out;
}

// Each edit over all its pairs, then over the pairs without any other edit; numbers of edits below.
std::string edit_rows(const AlgorithmEvaluation& algorithm, bool is_closed) {
  if (algorithm.by_edit.empty()) return {};
  std::string out = group_head("by edit", algorithm);
  if (!algorithm.by_edit_count.empty()) out += fmt::format(" {:>8} {:>7}", "alone", "found");
  out += "\n";
  for (const GroupFigures& group : algorithm.by_edit) {
    out += group_row(group, is_closed);
    const auto alone = std::find_if(algorithm.by_edit_alone.begin(), algorithm.by_edit_alone.end(),
                                    [&](const GroupFigures& candidate) { return candidate.name == group.name; });
    if (alone != algorithm.by_edit_alone.end()) {
      out += fmt::format(" {:>8} {:>7}", alone->labelled.positives(),
                         share(alone->reported.positives(), alone->labelled.positives()));
    }
    out += "\n";
  }
  for (const GroupFigures& group : algorithm.by_edit_count) out += group_row(group, is_closed) + "\n";
  return out;
}

std::string example_rows(std::string_view kind, const std::vector<ExamplePair>& pairs, std::uint32_t count) {
  std::string out;
  for (std::size_t i = 0; i < pairs.size() && i < count; ++i) {
    const ExamplePair& pair = pairs[i];
    out += fmt::format("  {:<8} {:.4f} {:<10} {}  {}{}\n", kind, pair.score, pair.label, shown(pair.id_a),
                       shown(pair.id_b), pair.edits.empty() ? "" : "  " + shown(pair.edits));
  }
  return out;
}

std::string mean_rows(const EvaluateOutcome& evaluation, std::size_t columns) {
  const std::vector<RankingRow> ranking = rank_algorithms(evaluation);
  // No set with enough copies: no mean worth printing.
  if (ranking.empty() || ranking.front().sets == 0) return {};
  std::string out = fmt::format("\nMean over {} of {} sets (those with copies in {} groups of pages or more)\n",
                                ranking.front().sets, evaluation.sets.size(), kPositivesForMean);
  out +=
      fmt::format("{:<{}} {:>6} {:>6} {:>6} {:>13} {:>6} {:>6} {:>6} {:>6} {:>8} {:>8} {:>7}\n", "algorithm", columns,
                  "P", "R", "F1", "95 %", "strict", "AP", "bestF1", "heldF1", "pages/s", "B/page", "peak MB");
  for (const RankingRow& row : ranking) {
    const std::string& label = evaluation.sets.front().algorithms[row.algorithm].label;
    out += fmt::format(
        "{:<{}} {:6.3f} {:6.3f} {:6.3f}   {:.3f}-{:.3f} {:6.3f} {:6.3f} {:6.3f} {:6.3f} {:8.0f} {:8.0f} {:7.0f}\n",
        label, columns, row.precision, row.recall, row.lenient_f1, row.lenient_interval.low, row.lenient_interval.high,
        row.strict_f1, row.average_precision, row.best_f1, row.held_out_f1, row.pages_per_second, row.bytes_per_page,
        static_cast<double>(row.memory_peak_bytes) / kBytesOfMegabyte);
  }
  return out;
}

}  // namespace

std::string evaluation_table(const EvaluateOutcome& evaluation, std::uint32_t shown_examples) {
  std::string out;
  const std::size_t columns = name_columns(evaluation);
  for (const SetEvaluation& set : evaluation.sets) {
    out += fmt::format("{}{}{}{}", out.empty() ? "" : "\n", set_head(set), set_rows(set, columns), analysis_rows(set));
    if (set.algorithms.size() <= kAlgorithmsBrokenDown) {
      for (const AlgorithmEvaluation& algorithm : set.algorithms) {
        out += page_rows("by language", algorithm, algorithm.by_language, set.is_closed) +
               page_rows("by page type", algorithm, algorithm.by_page_type, set.is_closed) +
               edit_rows(algorithm, set.is_closed);
      }
    }
    for (const AlgorithmEvaluation& algorithm : set.algorithms) {
      if (shown_examples == 0) break;
      out += fmt::format("\n{}\n{}{}", algorithm.label, example_rows("missed", algorithm.misses, shown_examples),
                         example_rows("wrong", algorithm.false_positives, shown_examples));
    }
  }
  if (evaluation.sets.size() > 1) out += mean_rows(evaluation, columns);
  return out;
}

}  // namespace paraprint::inline lab::inline evaluation
