// The HTML of judged samples: the report, and the pages on which pairs are read. Names, ids and texts pass through
// html_text().
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "lab/evaluate/evaluation_plots.h"
#include "lab/judge/judged_report.h"
#include "report/assets/assets.h"
#include "report/html_page.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"

namespace paraprint::inline lab::inline judge {
namespace {

constexpr std::string_view kPairStyle =
    "main { max-width: none; }\n"
    ".pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1.2rem; border-top: 1px solid; padding: .6rem 0 "
    "1.6rem; }\n"
    ".pair h2 { grid-column: 1 / -1; margin: .3rem 0; }\n"
    ".pair div { min-width: 0; overflow-wrap: anywhere; }\n"
    ".pair p { margin: .35rem 0; } .pair .both { opacity: .5; }\n"
    "@media (max-width: 40rem) { .pair { grid-template-columns: 1fr; } }\n";

std::string share_cells(const JudgedShare& share) {
  if (!share.is_known) return "<td class=\"number\" data-v=\"-1\">-</td><td class=\"interval-cell\"></td>";
  return fmt::format(
      "<td class=\"number\" data-v=\"{:.6f}\" title=\"95 %: {}\">{}</td><td class=\"interval-cell\">{}</td>",
      share.estimate, interval_text(share), share_text(share),
      interval_plot(share.interval.low, share.estimate, share.interval.high, share.estimate));
}

std::string sortable(std::string_view name, bool is_number) {
  return fmt::format("<th class=\"sort{}\">{}</th>", is_number ? " number" : "", html_text(name));
}

std::string algorithms_section(const JudgedEvaluation& evaluation) {
  std::string out = "<section id=\"algorithms\"><h2>Algorithms</h2>\n<div class=\"scroll\"><table class=\"dense\">";
  out += "<thead><tr>" + sortable("algorithm", false) + sortable("pairs", true) + sortable("judged", true);
  for (const std::string_view name : {"precision", "pooled recall", "recall"}) {
    out += sortable(name, true) + fmt::format("<th>95 % interval{}</th>", interval_scale());
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const JudgedAlgorithm& algorithm : evaluation.algorithms) {
    out += fmt::format("<tr><th scope=\"row\" title=\"{}\">{}</th>", html_text(algorithm.canonical),
                       html_text(algorithm.label));
    out += number_cell(algorithm.pairs) + number_cell(algorithm.judged_pairs) + share_cells(algorithm.precision) +
           share_cells(algorithm.pooled_recall) + share_cells(algorithm.recall) + "</tr>\n";
  }
  return out + "</tbody></table></div></section>\n";
}

std::string strata_section(const JudgedEvaluation& evaluation) {
  std::string out = "<section id=\"strata\"><h2>Strata</h2>\n<div class=\"scroll\"><table class=\"dense\"><thead><tr>";
  out += sortable("found by", false) + sortable("score", false);
  for (const std::string_view name : {"pairs", "sampled", "judged", "copies"}) out += sortable(name, true);
  out += "</tr></thead>\n<tbody>\n";
  for (const JudgedStratum& stratum : evaluation.strata) {
    out += fmt::format("<tr><td>{}</td><td>{}</td>", html_text(stratum.found_by), stratum.band);
    out += number_cell(stratum.pairs) + number_cell(stratum.sampled) + number_cell(stratum.judged) +
           number_cell(stratum.copies) + "</tr>\n";
  }
  return out + "</tbody></table></div></section>\n";
}

std::string judges_section(const JudgedEvaluation& evaluation) {
  std::string out = "<section id=\"judges\"><h2>Judges</h2>\n<div class=\"scroll\"><table class=\"dense\"><thead><tr>";
  out += sortable("judge", false);
  for (const std::string_view name : {"y", "n", "?", "revised"}) out += sortable(name, true);
  out += "</tr></thead>\n<tbody>\n";
  for (const JudgeFigures& judge : evaluation.judges) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", html_text(judge.name)) + number_cell(judge.copies) +
           number_cell(judge.different) + number_cell(judge.unsure) + number_cell(judge.revised) + "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  if (!evaluation.agreement.empty()) {
    out += "<h3>Agreement</h3>\n<div class=\"scroll\"><table class=\"dense\"><thead><tr>" + sortable("judges", false) +
           sortable("pairs", true) + sortable("judged alike", true) + sortable("kappa", true) +
           "</tr></thead>\n<tbody>\n";
  }
  for (const JudgeAgreement& agreement : evaluation.agreement) {
    out += fmt::format("<tr><td>{} and {}</td>", html_text(agreement.judge_a), html_text(agreement.judge_b)) +
           number_cell(agreement.pairs) + number_cell(agreement.agreed) +
           fmt::format("<td class=\"number\">{}</td></tr>\n",
                       agreement.kappa ? fmt::format("{:.3f}", *agreement.kappa) : "-");
  }
  if (!evaluation.agreement.empty()) out += "</tbody></table></div>\n";
  return out + "</section>\n";
}

std::string disputed_section(const JudgedEvaluation& evaluation) {
  if (evaluation.disputed_pairs == 0) return {};
  std::string out = "<section id=\"disputed\"><h2>Disputed pairs</h2>\n<div class=\"scroll\"><table class=\"dense\">";
  out += "<thead><tr><th>pair</th><th>pages</th><th>votes</th><th>counts as</th></tr></thead>\n<tbody>\n";
  for (const DisputedPair& pair : evaluation.disputed) {
    std::string votes;
    for (const std::string& vote : pair.votes) votes += (votes.empty() ? "" : ", ") + html_text(vote);
    out += fmt::format("<tr><td>{}</td><td>{}<br>{}</td><td>{}</td><td>{}</td></tr>\n", pair.pair,
                       html_text(utf8_prefix(pair.id_a, kShownNameBytesMaximum)),
                       html_text(utf8_prefix(pair.id_b, kShownNameBytesMaximum)), votes, html_text(pair.decision));
  }
  return out + "</tbody></table></div>\n" +
         cut_note(evaluation.disputed.size(), evaluation.disputed_pairs, "disputed pairs", ": the first.") +
         "</section>\n";
}

constexpr std::string_view kMethod =
    "<section id=\"method\"><h2>How this was estimated</h2>\n<dl class=\"keys\">"
    "<dt>precision</dt><dd>share of copies among the pairs that the algorithm finds</dd>"
    "<dt>pooled recall</dt><dd>share found by the algorithm among the copies that any of the algorithms finds</dd>"
    "<dt>recall</dt><dd>the same among all sampled pairs, including those that were scored below every threshold</dd>"
    "<dt>95 % intervals</dt><dd>profile likelihood of the stratified sample, with finite population correction</dd>"
    "<dt>equal texts</dt><dd>count as one page</dd>"
    "</dl></section>\n";

std::unordered_set<std::string_view> lines_of(std::string_view text) {
  std::unordered_set<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.insert(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string side(const SampledPage& page, const SampledPage& other) {
  std::string out =
      fmt::format("<div><p><strong>{}</strong><br>{}</p>\n", html_text(utf8_prefix(page.title, kShownNameBytesMaximum)),
                  page.url.empty() ? html_text(utf8_prefix(page.id, kShownNameBytesMaximum)) : url_html(page.url));
  const std::unordered_set<std::string_view> others = lines_of(other.text);
  std::string_view rest = page.text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    if (!line.empty()) {
      out += fmt::format("<p{}>{}</p>\n", others.contains(line) ? " class=\"both\"" : "", html_text(line));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (page.is_cut) out += "<p class=\"quiet\">The rest is not shown.</p>\n";
  return out + "</div>\n";
}

}  // namespace

std::string judged_page(const JudgedEvaluation& evaluation) {
  PageFrame frame;
  frame.title = "Judged sample of near-duplicates";
  frame.name = "paraprint evaluation";
  frame.links = {{"Algorithms", "#algorithms", ""}, {"Strata", "#strata", ""}, {"Judges", "#judges", ""}};
  if (evaluation.disputed_pairs > 0) frame.links.push_back({"Disputed", "#disputed", ""});
  frame.links.push_back({"Method", "#method", ""});
  frame.script = PageScript::kTables;
  frame.style = assets::kEvaluationCss;
  std::string out = page_begin(frame) + "<main>\n<h1>Judged sample</h1>\n";
  out += fmt::format(
      "<p class=\"quiet\">{} of {} pairs of different texts, on {} pages; {} judged, {} undecided, "
      "{} not judged",
      count_text(evaluation.sampled), count_text(evaluation.pooled_pairs), count_text(evaluation.pages),
      count_text(evaluation.decided), count_text(evaluation.undecided), count_text(evaluation.unjudged));
  if (evaluation.unusable_lines > 0) out += fmt::format(", {} unusable lines", count_text(evaluation.unusable_lines));
  if (evaluation.pairs_borrowed > 0) {
    out += fmt::format("; {} pairs are in strata that nobody judged, and taken to be like the nearest stratum",
                       count_text(evaluation.pairs_borrowed));
  }
  out += "</p>\n" + algorithms_section(evaluation) + strata_section(evaluation) + judges_section(evaluation);
  return out + disputed_section(evaluation) + std::string(kMethod) + "</main>\n" + page_end(frame);
}

std::string pairs_page(const std::vector<ShownPair>& pairs, std::size_t number, std::size_t pages) {
  PageFrame frame;
  frame.title = fmt::format("Pairs to judge, page {} of {}", number, pages);
  frame.name = "paraprint sample";
  const auto link = [&](std::string label, bool is_there, std::size_t to) {
    frame.links.push_back({std::move(label), is_there ? fmt::format("{}.html", to) : "", ""});
  };
  link("Previous", number > 1, number - 1);
  link("Next", number < pages, number + 1);
  frame.style = kPairStyle;
  std::string out = page_begin(frame) + fmt::format("<main>\n<h1>{}</h1>\n", frame.title);
  out +=
      "<p class=\"quiet\">Write y (copies), n (not) or ? into the field judgement of the pair's line in "
      "sample.jsonl. Pale lines are in both texts.</p>\n";
  for (const ShownPair& pair : pairs) {
    out += fmt::format("<section class=\"pair\" id=\"pair-{0}\"><h2>Pair {0}</h2>\n", pair.number);
    out += side(*pair.a, *pair.b) + side(*pair.b, *pair.a) + "</section>\n";
  }
  return out + "</main>\n" + page_end(frame);
}

}  // namespace paraprint::inline lab::inline judge
