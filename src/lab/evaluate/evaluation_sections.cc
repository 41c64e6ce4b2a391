// The sections of an evaluation's page as string concatenation: pages are small, and the code reads in the order of the
// output. Every text from outside (set and algorithm names, edits, ids) passes through html_text(). Tables carry the
// exact value in data-v, which the page's script sorts by.
#include "lab/evaluate/evaluation_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/evaluate/evaluation_plots.h"
#include "report/html_page.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

constexpr double kMebibyteBytes = 1 << 20;
constexpr std::string_view kDefaultAlgorithm = "paragraph";
// Maximum number of columns of a heat map that fits a screen; results.json has all.
constexpr std::size_t kHeatColumnsMaximum = 40;

// All sets have the same algorithms in the same order. Requires at least one set.
const std::vector<AlgorithmEvaluation>& algorithms_of(const EvaluateOutcome& evaluation) {
  return evaluation.sets.front().algorithms;
}

// The paragraph method is highlighted in every table.
std::string row_begin(const AlgorithmEvaluation& algorithm) {
  return fmt::format("<tr{}><th scope=\"row\">{}</th>",
                     algorithm.label == kDefaultAlgorithm ? " class=\"default\"" : "", html_text(algorithm.label));
}

std::string real_cell(double value, int decimals) {
  return fmt::format("<td class=\"number\" data-v=\"{:.6f}\">{:.{}f}</td>", value, value, decimals);
}

// Shown as an integer, sorted by the value.
std::string count_cell(double value) {
  return fmt::format("<td class=\"number\" data-v=\"{:.2f}\">{}</td>", value,
                     count_text(static_cast<std::uint64_t>(std::llround(value))));
}

// Sorted by the value, not by the ends of the interval.
std::string interval_cell(const Interval& interval, double value, double second) {
  return fmt::format("<td class=\"interval-cell\" data-v=\"{:.6f}\">{}</td>", value,
                     interval_plot(interval.low, value, interval.high, second));
}

std::string sortable(std::string_view name, bool is_number) {
  return fmt::format("<th class=\"sort{}\">{}</th>", is_number ? " number" : "", html_text(name));
}

std::string sortable_head(const std::vector<std::string_view>& numbers) {
  std::string out = "<thead><tr>" + sortable("algorithm", false);
  for (const std::string_view name : numbers) out += sortable(name, true);
  return out + "</tr></thead>\n<tbody>\n";
}

// A share as a shade. Squared, because most shares of interest are close to 1 and would otherwise look alike.
std::string heat_cell(std::optional<double> share, bool is_best, std::string_view title) {
  if (!share) return "<td class=\"none\">–</td>";
  return fmt::format("<td{} style=\"--s:{:.3f}\" title=\"{}\">{:.3f}</td>", is_best ? " class=\"best\"" : "",
                     *share * *share, html_text(title), *share);
}

std::string heat_head(const std::vector<std::string>& columns) {
  std::string out = "<thead><tr><td class=\"none\"></td>";
  for (const std::string& column : columns)
    out += fmt::format("<th scope=\"col\"><span>{}</span></th>", html_text(column));
  return out + "</tr></thead>\n<tbody>\n";
}

std::string label_sentence(const LabelCounts& labels) {
  return fmt::format("{} exact copies, {} near copies, {} of the same topic, {} listed as different",
                     count_text(labels.duplicate), count_text(labels.near), count_text(labels.topic),
                     count_text(labels.different));
}

// One legend serves both plots of a set: colours are the same everywhere on the page.
std::string legend(const EvaluateOutcome& evaluation, const AlgorithmColours& colours) {
  std::string out = "<ul class=\"legend\">";
  // In the order of colours, which is the order of importance, not that of the algorithms.
  std::vector<std::string> names(kPlotColours);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    if (colours[i]) names[*colours[i]] = algorithms_of(evaluation)[i].label;
  }
  for (std::size_t colour = 0; colour < names.size(); ++colour) {
    if (!names[colour].empty()) {
      out += fmt::format("<li><i class=\"c{}\"></i>{}</li>", colour, html_text(names[colour]));
    }
  }
  const bool has_quiet = std::any_of(colours.begin(), colours.end(), [](const auto& colour) { return !colour; });
  return out + (has_quiet ? "<li><i></i>others</li>" : "") + "</ul>\n";
}

// The lower end of a zoomed axis: at least half a step below the lowest precision or recall of the coloured algorithms
// at their best threshold, so that all of these points are visible.
double zoom_low(const SetEvaluation& set, const AlgorithmColours& colours) {
  constexpr double kStep = 0.1;
  // Keeps some height for the plot even if all algorithms are nearly perfect.
  constexpr double kHighest = 0.8;
  double low = 1;
  for (std::size_t i = 0; i < set.algorithms.size(); ++i) {
    if (!colours[i] || set.algorithms[i].lenient.best.f1 == 0) continue;
    const CurvePoint& best = set.algorithms[i].lenient.best;
    low = std::min({low, best.precision, best.recall});
  }
  return std::clamp(std::floor(low / kStep - 0.5) * kStep, 0.0, kHighest);
}

// Indices of algorithms by colour, those without a colour last.
std::vector<std::size_t> coloured_first(const AlgorithmColours& colours) {
  std::vector<std::size_t> order(colours.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return colours[x].value_or(kPlotColours) < colours[y].value_or(kPlotColours);
  });
  return order;
}

// Precision against recall over all thresholds; the marker is the default threshold. Zoomed, because the interesting
// region is the upper right corner.
LinePlot recall_plot(const SetEvaluation& set, const AlgorithmColours& colours, const std::string& id) {
  const double low = zoom_low(set, colours);
  LinePlot plot{id + "-pr", "Precision against recall on " + set.name, {"recall", low, 1}, {"precision", low, 1}, {},
                true};
  for (const std::size_t i : coloured_first(colours)) {
    const AlgorithmEvaluation& algorithm = set.algorithms[i];
    PlotSeries series{algorithm.label, colours[i], {}, {}};
    for (const CurvePoint& point : algorithm.lenient.curve) series.points.push_back({point.recall, point.precision});
    const Rates& rates = algorithm.at_default.lenient;
    // An algorithm that found nothing has no point worth marking; (0, 0) would be outside of the zoomed axes.
    if (rates.f1 > 0) series.marker = {rates.recall, rates.precision};
    plot.series.push_back(std::move(series));
  }
  return plot;
}

// Lenient F1 against the threshold; not zoomed, since scores of different algorithms cover different ranges.
LinePlot threshold_plot(const SetEvaluation& set, const AlgorithmColours& colours, const std::string& id) {
  LinePlot plot{
      id + "-f1", "F1 against the threshold on " + set.name, {"threshold of the score", 0, 1}, {"lenient F1", 0, 1}, {},
      false};
  for (const std::size_t i : coloured_first(colours)) {
    const AlgorithmEvaluation& algorithm = set.algorithms[i];
    PlotSeries series{algorithm.label, colours[i], {}, {}};
    for (const CurvePoint& point : algorithm.lenient.curve) series.points.push_back({point.threshold, point.f1});
    if (algorithm.at_default.lenient.f1 > 0) series.marker = {algorithm.threshold, algorithm.at_default.lenient.f1};
    plot.series.push_back(std::move(series));
  }
  return plot;
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{} of {}", count_text(part), count_text(whole));
}

// Heat map of the reported share by group: one row per algorithm in ranking order, one column per group. `of_copies`
// selects copies; otherwise pairs that are not copies.
std::string group_heat(const SetEvaluation& set, const std::vector<RankingRow>& ranking,
                       std::vector<GroupFigures> AlgorithmEvaluation::*groups, bool of_copies) {
  const auto counts = [&](const GroupFigures& group) {
    const LabelCounts& labels = group.labelled;
    const LabelCounts& reported = group.reported;
    return of_copies ? std::pair(reported.positives(), labels.positives())
                     : std::pair(reported.different + reported.topic, labels.different + labels.topic);
  };
  std::vector<std::string> columns;
  // Groups with labels are the same for all algorithms, so those of the first serve as columns.
  for (const GroupFigures& group : set.algorithms.front().*groups) {
    if (counts(group).second > 0 && columns.size() < kHeatColumnsMaximum) columns.push_back(group.name);
  }
  if (columns.empty()) return {};
  std::string out = "<div class=\"scroll\"><table class=\"heat\">" + heat_head(columns);
  for (const RankingRow& row : ranking) {
    const AlgorithmEvaluation& algorithm = set.algorithms[row.algorithm];
    out += row_begin(algorithm);
    for (const std::string& column : columns) {
      const auto group = std::find_if((algorithm.*groups).begin(), (algorithm.*groups).end(),
                                      [&](const GroupFigures& candidate) { return candidate.name == column; });
      if (group == (algorithm.*groups).end() || counts(*group).second == 0) {
        out += heat_cell(std::nullopt, false, "");
        continue;
      }
      const auto [part, whole] = counts(*group);
      out += heat_cell(static_cast<double>(part) / static_cast<double>(whole), false, share_text(part, whole));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

// Every algorithm on one set, in ranking order. A column per figure of docs/evaluation.md.
std::string set_table(const SetEvaluation& set, const std::vector<RankingRow>& ranking) {
  std::string out = "<div class=\"scroll\"><table class=\"dense\">" +
                    sortable_head({"P", "R", "F1", "strict F1", "dup", "near", "topic", "AP", "best F1", "at",
                                   "held-out F1", "B³", "pages/s", "B/page", "peak MB"});
  // A dash for a share of nothing; -1 sorts it below all shares.
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? std::string("<td class=\"number\" data-v=\"-1\">–</td>")
                      : real_cell(static_cast<double>(part) / static_cast<double>(whole), 3);
  };
  for (const RankingRow& row : ranking) {
    const AlgorithmEvaluation& algorithm = set.algorithms[row.algorithm];
    const PairwiseFigures& at = algorithm.at_default;
    out += row_begin(algorithm);
    for (const double value : {at.lenient.precision, at.lenient.recall, at.lenient.f1, at.strict.f1}) {
      out += real_cell(value, 3);
    }
    out += share(at.reported.duplicate, at.labelled.duplicate) + share(at.reported.near, at.labelled.near) +
           share(at.reported.topic, at.labelled.topic);
    for (const double value : {algorithm.lenient.average_precision, algorithm.lenient.best.f1,
                               algorithm.lenient.best.threshold, algorithm.held_out.test.lenient.f1}) {
      out += real_cell(value, 3);
    }
    out +=
        algorithm.clusters ? real_cell(algorithm.clusters->bcubed.f1, 3) : "<td class=\"number\" data-v=\"-1\">–</td>";
    out += count_cell(algorithm.costs.pages_per_second) + count_cell(algorithm.costs.bytes_per_page) +
           count_cell(static_cast<double>(algorithm.costs.memory_peak_bytes) / kMebibyteBytes) + "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

// Analysis values that only some algorithms provide: one row per algorithm, one column per value. All providers use the
// same names in the same order, so any of their heads serves.
std::string analysis_table(const SetEvaluation& set) {
  std::string rows;
  std::string head;
  for (const AlgorithmEvaluation& algorithm : set.algorithms) {
    if (algorithm.analysis.empty()) continue;
    rows += row_begin(algorithm);
    head.clear();
    for (const auto& [name, value] : algorithm.analysis) {
      head += fmt::format("<th class=\"number\">{}</th>", html_text(name));
      rows += real_cell(value, 4);
    }
    rows += "</tr>\n";
  }
  if (rows.empty()) return {};
  return "<h3>The cutoff after N keywords</h3><div class=\"scroll\"><table class=\"dense cuts\"><thead><tr>"
         "<th>algorithm</th>" +
         head + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

// <bdi> isolates ids in right-to-left scripts from the text around them.
std::string example_table(std::string_view caption, const std::vector<ExamplePair>& pairs) {
  if (pairs.empty()) return {};
  std::string out = fmt::format(
      "<h3>{}</h3><div class=\"scroll\"><table class=\"dense\"><thead><tr><th>score</th>"
      "<th>label</th><th>pages</th><th>edits</th></tr></thead><tbody>\n",
      html_text(caption));
  for (const ExamplePair& pair : pairs) {
    out += fmt::format(
        "<tr><td class=\"number\">{:.3f}</td><td>{}</td><td class=\"mono break\"><bdi>{}</bdi> · "
        "<bdi>{}</bdi></td><td>{}</td></tr>\n",
        pair.score, html_text(pair.label), html_text(pair.id_a), html_text(pair.id_b), html_text(pair.edits));
  }
  return out + "</tbody></table></div>\n";
}

// Folded, because the lists are long and interesting for one algorithm at a time.
std::string examples(const SetEvaluation& set, const std::vector<RankingRow>& ranking) {
  std::string out;
  for (const RankingRow& row : ranking) {
    const AlgorithmEvaluation& algorithm = set.algorithms[row.algorithm];
    if (algorithm.misses.empty() && algorithm.false_positives.empty()) continue;
    out += fmt::format("<details><summary>{}: worst misses and false positives</summary>\n{}{}</details>\n",
                       html_text(algorithm.label), example_table("Missed copies", algorithm.misses),
                       example_table("Reported, but not copies", algorithm.false_positives));
  }
  return out;
}

}  // namespace

// Colours are limited, so they go to the rows a reader compares: the default method, then the best ones.
AlgorithmColours choose_colours(const EvaluateOutcome& evaluation, const std::vector<RankingRow>& ranking) {
  AlgorithmColours colours(evaluation.sets.empty() ? 0 : algorithms_of(evaluation).size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    if (algorithms_of(evaluation)[i].label == kDefaultAlgorithm) colours[i] = next++;
  }
  for (const RankingRow& row : ranking) {
    if (next < kPlotColours && !colours[row.algorithm]) colours[row.algorithm] = next++;
  }
  return colours;
}

std::string head_section(const EvaluateOutcome& evaluation) {
  std::uint64_t pages = 0;
  std::uint64_t copies = 0;
  for (const SetEvaluation& set : evaluation.sets) {
    pages += set.pages;
    copies += set.labels.positives();
  }
  const auto figure = [](std::string_view name, std::uint64_t value) {
    return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, count_text(value));
  };
  return "<h1>Near-duplicate detection, judged on labelled pages</h1>\n"
         "<p class=\"quiet\">Each algorithm at its own default threshold; a pair counts as found when it is reported "
         "as a copy."
         "</p>\n<dl class=\"figures\">" +
         figure("algorithms", algorithms_of(evaluation).size()) + figure("labelled sets", evaluation.sets.size()) +
         figure("pages", pages) + figure("labelled copies (pairs)", copies) + "</dl>\n";
}

// The interval cell shows lenient F1 as a dot with its interval and strict F1 as a ring.
std::string ranking_section(const EvaluateOutcome& evaluation, const std::vector<RankingRow>& ranking) {
  const std::size_t sets = ranking.empty() ? 0 : ranking.front().sets;
  std::string out = fmt::format(
      "<section id=\"ranking\"><h2>Ranking</h2>\n<p class=\"quiet\">Mean over {} {} with copies in {} groups of pages "
      "or more. The dot is "
      "lenient F1 with its 95 % interval, the ring strict F1, which counts reported pages of the same topic as "
      "wrong.</p>\n",
      sets, sets == 1 ? "set" : "sets", kPositivesForMean);
  out += "<div class=\"scroll\"><table class=\"dense\"><thead><tr>" + sortable("algorithm", false) +
         sortable("F1", true) + sortable("strict F1", true) + fmt::format("<th>95 % interval{}</th>", interval_scale());
  for (const std::string_view name : {"P", "R", "best F1", "held-out F1", "AP", "pages/s", "B/page"}) {
    out += sortable(name, true);
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const RankingRow& row : ranking) {
    out += row_begin(algorithms_of(evaluation)[row.algorithm]) + real_cell(row.lenient_f1, 3) +
           real_cell(row.strict_f1, 3) + interval_cell(row.lenient_interval, row.lenient_f1, row.strict_f1);
    for (const double value : {row.precision, row.recall, row.best_f1, row.held_out_f1, row.average_precision}) {
      out += real_cell(value, 3);
    }
    out += count_cell(row.pages_per_second) + count_cell(row.bytes_per_page) + "</tr>\n";
  }
  return out + "</tbody></table></div></section>\n";
}

// Time without extraction and word segmentation, which are the same for all and would hide the
// differences. Both plots share the F1 axis.
std::string cost_section(const EvaluateOutcome& evaluation, const std::vector<RankingRow>& ranking,
                         const AlgorithmColours& colours) {
  std::vector<ScatterPoint> by_time;
  std::vector<ScatterPoint> by_size;
  std::vector<double> speeds;
  std::vector<double> sizes;
  for (const RankingRow& row : ranking) {
    const std::string& label = algorithms_of(evaluation)[row.algorithm].label;
    // Very small runs may measure 0 seconds.
    const double own_seconds = std::max(row.own_seconds, 1e-9);
    by_time.push_back({label, {row.pages / own_seconds, row.lenient_f1}, colours[row.algorithm]});
    by_size.push_back({label, {row.bytes_per_page, row.lenient_f1}, colours[row.algorithm]});
    speeds.push_back(row.pages / own_seconds);
    sizes.push_back(row.bytes_per_page);
  }
  const PlotAxis f1{"mean lenient F1", 0, 1, false};
  return fmt::format(
      "<section id=\"cost\"><h2>Cost of quality</h2>\n<div class=\"plots\"><figure><figcaption><b>Time.</b> Pages per "
      "second on one processor for the algorithm's own work: fingerprints, candidates, verification. Extraction and "
      "words "
      "come before and are the same for all.</figcaption>{}</figure>\n<figure><figcaption><b>Memory.</b> Bytes kept "
      "per "
      "page for comparison.</figcaption>{}</figure></div></section>\n",
      scatter_plot("Mean F1 against pages per second", logarithmic_axis("pages per second, without extraction", speeds),
                   f1, by_time),
      scatter_plot("Mean F1 against bytes per page", logarithmic_axis("bytes per page", sizes), f1, by_size));
}

std::string sets_section(const EvaluateOutcome& evaluation, const std::vector<RankingRow>& ranking) {
  // With one set this table would repeat the ranking.
  if (evaluation.sets.size() < 2) return {};
  std::string out =
      "<section id=\"sets\"><h2>Set by set</h2>\n<p class=\"quiet\">Lenient F1 at the default threshold; the best of "
      "each set is bold. Sets with copies in few groups of pages are left out here.</p>\n";
  std::vector<std::string> columns;
  std::vector<std::size_t> shown;
  for (std::size_t set = 0; set < evaluation.sets.size(); ++set) {
    if (!enters_mean(evaluation.sets[set])) continue;
    shown.push_back(set);
    columns.push_back(evaluation.sets[set].name);
  }
  out += "<div class=\"scroll\"><table class=\"heat\">" + heat_head(columns);
  const auto f1_of = [&](std::size_t set, std::size_t algorithm) {
    return evaluation.sets[set].algorithms[algorithm].at_default.lenient.f1;
  };
  for (const RankingRow& row : ranking) {
    out += row_begin(algorithms_of(evaluation)[row.algorithm]);
    for (const std::size_t set : shown) {
      const double f1 = f1_of(set, row.algorithm);
      // Ties are all bold.
      const bool is_best = std::none_of(ranking.begin(), ranking.end(),
                                        [&](const RankingRow& other) { return f1_of(set, other.algorithm) > f1; });
      const double strict = evaluation.sets[set].algorithms[row.algorithm].at_default.strict.f1;
      out += heat_cell(f1, is_best, fmt::format("strict {:.3f}", strict));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div></section>\n";
}

// Plots and tables whose groups have no pairs are left out.
std::string set_section(const EvaluateOutcome& evaluation, std::size_t index, const std::vector<RankingRow>& ranking,
                        const AlgorithmColours& colours) {
  const SetEvaluation& set = evaluation.sets[index];
  const std::string id = fmt::format("set-{}", index);
  std::string out = fmt::format(
      "<section id=\"{}\"><h2>{}</h2>\n<p class=\"quiet\">{} pages, {} world. Pairs: {}.</p>\n", id,
      html_text(set.name), count_text(set.pages), set.is_closed ? "closed" : "open", label_sentence(set.labels));
  // Precision and recall mean nothing without copies.
  if (set.labels.positives() > 0) {
    out += fmt::format(
        "<div class=\"plots\"><figure><figcaption><b>Precision and recall</b> over all thresholds; the dot is the "
        "default, "
        "dashed lines have equal F1.</figcaption>{}</figure>\n<figure><figcaption><b>F1 by threshold.</b> A flat top "
        "forgives a wrong threshold.</figcaption>{}</figure></div>\n{}",
        line_plot(recall_plot(set, colours, id)), line_plot(threshold_plot(set, colours, id)),
        legend(evaluation, colours));
  }
  out += set_table(set, ranking) + analysis_table(set);
  if (const std::string heat = group_heat(set, ranking, &AlgorithmEvaluation::by_edit, true); !heat.empty()) {
    out += "<h3>Share of copies found, by edit</h3>\n" + heat;
  }
  if (const std::string heat = group_heat(set, ranking, &AlgorithmEvaluation::by_edit_alone, true); !heat.empty()) {
    out += "<h3>Share of copies found, by edit, of pairs with no other edit</h3>\n" + heat;
  }
  if (const std::string heat = group_heat(set, ranking, &AlgorithmEvaluation::by_edit_count, true); !heat.empty()) {
    out += "<h3>Share of copies found, by the number of edits of both pages together</h3>\n" + heat;
  }
  if (const std::string heat = group_heat(set, ranking, &AlgorithmEvaluation::by_edit, false); !heat.empty()) {
    out += "<h3>Share of related and different pages reported, by edit: less is better</h3>\n" + heat;
  }
  // A single language would repeat the set's totals.
  if (set.algorithms.front().by_language.size() > 1) {
    if (const std::string heat = group_heat(set, ranking, &AlgorithmEvaluation::by_language, true); !heat.empty()) {
      out += "<h3>Share of copies found, by language</h3>\n" + heat;
    }
  }
  if (set.algorithms.front().by_page_type.size() > 1) {
    if (const std::string heat = group_heat(set, ranking, &AlgorithmEvaluation::by_page_type, true); !heat.empty()) {
      out += "<h3>Share of copies found, by page type</h3>\n" + heat;
    }
  }
  return out + examples(set, ranking) + "</section>\n";
}

std::string method_section(const EvaluateOutcome& evaluation) {
  return fmt::format(
      "<section id=\"method\"><h2>How this was measured</h2>\n<dl class=\"keys\">"
      "<dt>lenient, strict</dt><dd>pairs of the same topic are ignored, or wrong when reported</dd>"
      "<dt>best F1</dt><dd>over all thresholds, in hindsight: an upper bound</dd>"
      "<dt>held-out F1</dt><dd>threshold chosen on one half of the clusters, F1 of the other half; seed {}</dd>"
      "<dt>95 % intervals</dt><dd>bootstrap over clusters, {} rounds</dd>"
      "<dt>dup, near, topic</dt><dd>reported share of the pairs with that label</dd>"
      "<dt>B³</dt><dd>B-cubed F1 of the connected components of reported pairs</dd>"
      "<dt>pages/s</dt><dd>from bytes to verified pairs, processor time, on one of {} threads</dd>"
      "<dt>peak MB</dt><dd>resident while matching; {}</dd></dl></section>\n",
      evaluation.seed, count_text(evaluation.bootstrap_rounds), evaluation.threads,
      html_text(evaluation.memory_method));
}

}  // namespace paraprint::inline lab::inline evaluation
