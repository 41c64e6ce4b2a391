// The tables of an evaluation of extractors for a terminal. Names and ids come from files, so they pass through
// append_terminal_text(), which removes escape sequences.
#include <fmt/format.h>

#include <algorithm>

#include "lab/extraction/extraction_report.h"
#include "report/text_safety.h"

namespace paraprint::inline lab::inline extraction {
namespace {

// Rows of a breakdown; the report and results.json have all.
constexpr std::size_t kGroupsInTable = 30;
constexpr std::size_t kNameColumns = 22;
constexpr std::size_t kExtractorColumnsMinimum = 24;
constexpr double kPercent = 100;

std::string shown(std::string_view text) {
  std::string out;
  append_terminal_text(out, text);
  return out;
}

std::string head_of(std::string_view name) {
  return fmt::format("{:<{}} {:>6} {:>6} {:>6} {:>13} {:>6} {:>8} {:>12} {:>8} {:>8}  {}\n", name, kNameColumns, "P",
                     "R", "F1", "95 %", "median", "correct", "95 %", "bad", "pages/s", "F1 to the first, 95 %");
}

std::string group_rows(const ExtractionEvaluation& evaluation, const ExtractionGroup& group) {
  std::string out;
  for (std::size_t i = 0; i < group.scores.size(); ++i) {
    const ExtractionScores& scores = group.scores[i];
    out += fmt::format(
        "{:<{}} {:6.3f} {:6.3f} {:6.3f}   {:.3f}-{:.3f} {:6.3f} {:6.1f} %  {:5.1f}-{:5.1f} {:6.1f} % {:8.0f}",
        evaluation.extractors[i], kNameColumns, scores.precision, scores.recall, scores.f1, scores.f1_interval.low,
        scores.f1_interval.high, scores.median_f1, scores.correct_share * kPercent,
        scores.correct_interval.low * kPercent, scores.correct_interval.high * kPercent, scores.bad_share * kPercent,
        evaluation.costs[i].pages_per_second);
    if (i > 0) {
      out += fmt::format("  {:+.3f}, {:+.3f} to {:+.3f}", scores.f1_difference, scores.f1_difference_interval.low,
                         scores.f1_difference_interval.high);
    }
    out += "\n";
  }
  return out;
}

// The form of the papers' table: pages, and the number and share extracted correctly by each extractor.
std::string breakdown(const ExtractionEvaluation& evaluation, std::string_view kind,
                      const std::vector<ExtractionGroup>& groups) {
  std::string out = fmt::format("\n{:<{}} {:>7}", kind, kNameColumns, "pages");
  std::vector<std::size_t> columns;
  for (const std::string& extractor : evaluation.extractors) {
    columns.push_back(std::max(kExtractorColumnsMinimum, extractor.size()));
    out += fmt::format("  {:>{}}", extractor, columns.back());
  }
  out += "\n";
  for (std::size_t i = 0; i < groups.size() && i < kGroupsInTable; ++i) {
    out += fmt::format("{:<{}} {:>7}", shown(groups[i].name), kNameColumns, groups[i].pages);
    for (std::size_t e = 0; e < groups[i].scores.size(); ++e) {
      const ExtractionScores& scores = groups[i].scores[e];
      out += fmt::format(
          "  {:>{}}",
          fmt::format("{} {:5.1f} %  F1 {:.3f}", scores.correct, scores.correct_share * kPercent, scores.f1),
          columns[e]);
    }
    out += "\n";
  }
  if (groups.size() > kGroupsInTable) out += fmt::format("and {} more\n", groups.size() - kGroupsInTable);
  return out;
}

std::string poorest_rows(const ExtractionEvaluation& evaluation, std::uint32_t count) {
  std::string out;
  for (std::size_t e = 0; e < evaluation.extractors.size() && count > 0; ++e) {
    out += fmt::format("\n{}, lowest F1:\n", evaluation.extractors[e]);
    const std::vector<PoorlyExtractedPage>& pages = evaluation.poorest[e];
    for (std::size_t i = 0; i < pages.size() && i < count; ++i) {
      out += fmt::format("  {:.3f}  P {:.3f}  R {:.3f}  {}  {}\n", pages[i].f1, pages[i].precision, pages[i].recall,
                         shown(pages[i].source), shown(pages[i].id));
    }
  }
  return out;
}

}  // namespace

std::string extraction_table(const ExtractionEvaluation& evaluation, std::uint32_t shown_pages) {
  std::string out = fmt::format("{} pages", evaluation.pages);
  if (evaluation.broken_lines > 0) out += fmt::format("; {} broken lines", evaluation.broken_lines);
  out += fmt::format("\n{}", head_of("extractor")) + group_rows(evaluation, evaluation.all);
  if (evaluation.without_tools.pages > 0 && evaluation.without_tools.pages < evaluation.pages) {
    out += fmt::format("\n{} pages whose text is not a tool's output\n{}", evaluation.without_tools.pages,
                       head_of("extractor")) +
           group_rows(evaluation, evaluation.without_tools);
  }
  out += breakdown(evaluation, "page type", evaluation.by_page_type);
  out += breakdown(evaluation, "language", evaluation.by_language);
  out += breakdown(evaluation, "source", evaluation.by_source);
  return out + poorest_rows(evaluation, shown_pages);
}

}  // namespace paraprint::inline lab::inline extraction
