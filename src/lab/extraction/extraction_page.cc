// report/index.html of an evaluation of extractors. Names and ids pass through html_text(). Tables carry the exact
// value in data-v, which the page's script sorts by.
#include <fmt/format.h>

#include <algorithm>

#include "lab/evaluate/evaluation_plots.h"
#include "lab/extraction/extraction_report.h"
#include "report/assets/assets.h"
#include "report/html_page.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"

namespace paraprint::inline lab::inline extraction {
namespace {

constexpr std::size_t kGroupsOnPage = 200;
constexpr std::size_t kPoorPagesShown = 20;
constexpr double kPercentScale = 100;

std::string real_cell(double value) {
  return fmt::format("<td class=\"number\" data-v=\"{:.6f}\">{:.3f}</td>", value, value);
}

std::string difference_cell(double value, const Interval& interval) {
  return fmt::format("<td class=\"number\" data-v=\"{:.6f}\" title=\"95 %: {:+.3f} to {:+.3f}\">{:+.3f}</td>", value,
                     interval.low, interval.high, value);
}

std::string percent_cell(double share, const Interval& interval) {
  return fmt::format("<td class=\"number\" data-v=\"{:.6f}\" title=\"95 %: {:.1f} to {:.1f} %\">{:.1f} %</td>", share,
                     interval.low * kPercentScale, interval.high * kPercentScale, share * kPercentScale);
}

std::string sortable(std::string_view name, bool is_number) {
  return fmt::format("<th class=\"sort{}\">{}</th>", is_number ? " number" : "", html_text(name));
}

std::string ranking_table(const ExtractionEvaluation& evaluation, const ExtractionGroup& group) {
  std::string out = "<div class=\"scroll\"><table class=\"dense\"><thead><tr>" + sortable("extractor", false);
  out += sortable("F1", true) + fmt::format("<th>95 % interval{}</th>", interval_scale());
  for (const std::string_view name :
       {"P", "R", "median F1", "correct", "bad", "F1 to the first", "correct to the first", "pages/s"}) {
    out += sortable(name, true);
  }
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < group.scores.size(); ++i) {
    const ExtractionScores& scores = group.scores[i];
    out += fmt::format("<tr{}><th scope=\"row\">{}</th>", i == 0 ? " class=\"default\"" : "",
                       html_text(evaluation.extractors[i]));
    out += real_cell(scores.f1) +
           fmt::format("<td class=\"interval-cell\">{}</td>",
                       interval_plot(scores.f1_interval.low, scores.f1, scores.f1_interval.high, scores.f1));
    out += real_cell(scores.precision) + real_cell(scores.recall) + real_cell(scores.median_f1);
    out += percent_cell(scores.correct_share, scores.correct_interval);
    out += percent_cell(scores.bad_share, scores.bad_interval);
    out += difference_cell(scores.f1_difference, scores.f1_difference_interval);
    out += difference_cell(scores.correct_difference, scores.correct_difference_interval);
    out += number_cell(static_cast<std::uint64_t>(evaluation.costs[i].pages_per_second)) + "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

// The form of the papers' table: a row per group; per extractor the pages extracted correctly, their share, and F1.
std::string group_section(const ExtractionEvaluation& evaluation, std::string_view id, std::string_view title,
                          std::string_view column, const std::vector<ExtractionGroup>& groups) {
  std::string out = fmt::format("<section id=\"{}\"><h2>{}</h2>\n<div class=\"scroll\"><table class=\"dense\">", id,
                                html_text(title));
  out += "<thead><tr>" + sortable(column, false) + sortable("pages", true);
  for (const std::string& extractor : evaluation.extractors) {
    for (const std::string_view figure : {"correct", "share", "F1"}) {
      out += sortable(fmt::format("{}: {}", extractor, figure), true);
    }
  }
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < groups.size() && i < kGroupsOnPage; ++i) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", html_text(groups[i].name)) + number_cell(groups[i].pages);
    for (const ExtractionScores& scores : groups[i].scores) {
      out += number_cell(scores.correct) + percent_cell(scores.correct_share, scores.correct_interval) +
             real_cell(scores.f1);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n" +
         cut_note(std::min(groups.size(), kGroupsOnPage), groups.size(), "groups", ": those with the most pages.") +
         "</section>\n";
}

std::string poorest_section(const ExtractionEvaluation& evaluation) {
  std::string out = "<section id=\"poorest\"><h2>Pages with the lowest F1</h2>\n";
  for (std::size_t e = 0; e < evaluation.extractors.size(); ++e) {
    const std::vector<PoorlyExtractedPage>& pages = evaluation.poorest[e];
    out += fmt::format("<h3>{}</h3>\n<div class=\"scroll\"><table class=\"dense\"><thead><tr>",
                       html_text(evaluation.extractors[e]));
    out += sortable("id", false) + sortable("source", false) + sortable("F1", true) + sortable("P", true) +
           sortable("R", true) + "</tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < pages.size() && i < kPoorPagesShown; ++i) {
      out += fmt::format("<tr><td>{}</td><td>{}</td>", html_text(utf8_prefix(pages[i].id, kShownNameBytesMaximum)),
                         html_text(pages[i].source)) +
             real_cell(pages[i].f1) + real_cell(pages[i].precision) + real_cell(pages[i].recall) + "</tr>\n";
    }
    out += "</tbody></table></div>\n";
  }
  return out + "</section>\n";
}

std::string method_section(const ExtractionEvaluation& evaluation) {
  return fmt::format(
      "<section id=\"method\"><h2>How this was measured</h2>\n<dl class=\"keys\">"
      "<dt>P, R, F1</dt><dd>of the multisets of tokens, means over pages: a token is an ideograph, kana or Hangul "
      "syllable, or a word, in NFKC and lower case</dd>"
      "<dt>correct, bad</dt><dd>pages with F1 of at least {}, below {}</dd>"
      "<dt>to the first</dt><dd>difference from the first extractor on the same pages</dd>"
      "<dt>95 % intervals</dt><dd>bootstrap over pages, {} rounds, seed {}</dd>"
      "<dt>pages/s</dt><dd>from the bytes of a page to its text, processor time, on one of {} threads</dd>"
      "</dl></section>\n",
      kCorrectF1, kBadF1, count_text(evaluation.bootstrap_rounds), evaluation.seed, evaluation.threads);
}

}  // namespace

std::string extraction_page(const ExtractionEvaluation& evaluation) {
  PageFrame frame;
  frame.title = "Evaluation of main content extraction";
  frame.name = "paraprint evaluation";
  frame.links = {{"All pages", "#all", ""},   {"Page types", "#types", ""},  {"Languages", "#languages", ""},
                 {"Sources", "#sources", ""}, {"Lowest F1", "#poorest", ""}, {"Method", "#method", ""}};
  frame.script = PageScript::kTables;
  frame.style = assets::kEvaluationCss;
  std::string out = page_begin(frame) + "<main>\n";
  out += fmt::format("<h1>Main content extraction</h1>\n<p class=\"quiet\">{} pages", count_text(evaluation.pages));
  if (evaluation.broken_lines > 0) out += fmt::format(", {} broken lines", count_text(evaluation.broken_lines));
  out += "</p>\n<section id=\"all\"><h2>All pages</h2>\n" + ranking_table(evaluation, evaluation.all);
  if (evaluation.without_tools.pages > 0 && evaluation.without_tools.pages < evaluation.pages) {
    out += fmt::format("<h3>{} pages whose text is not a tool's output</h3>\n",
                       count_text(evaluation.without_tools.pages)) +
           ranking_table(evaluation, evaluation.without_tools);
  }
  out += "</section>\n";
  out += group_section(evaluation, "types", "By page type", "page type", evaluation.by_page_type);
  out += group_section(evaluation, "languages", "By language", "language", evaluation.by_language);
  out += group_section(evaluation, "sources", "By source", "source", evaluation.by_source);
  return out + poorest_section(evaluation) + method_section(evaluation) + "</main>\n" + page_end(frame);
}

}  // namespace paraprint::inline lab::inline extraction
