// Sections of index.html that need more than a table: cluster-size chart, broken records, settings and counters; also
// the page of broken records.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "report/html_page.h"
#include "report/report_pages.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"

namespace paraprint::inline report {
namespace {

struct SizeBin {
  std::uint64_t first;
  std::uint64_t last;
  std::string_view label;
};

// Roughly logarithmic: most clusters are pairs, while the few large ones deserve a bar of their own.
constexpr std::array kSizeBins = {
    SizeBin{2, 2, "2"},
    SizeBin{3, 3, "3"},
    SizeBin{4, 4, "4"},
    SizeBin{5, 9, "5\u20139"},
    SizeBin{10, 19, "10\u201319"},
    SizeBin{20, 49, "20\u201349"},
    SizeBin{50, 99, "50\u201399"},
    SizeBin{100, 999, "100\u2013999"},
    SizeBin{1000, UINT64_MAX, "1000+"},
};

// Clusters per bin, up to the last bin in use. Size 1 is in no bin.
std::vector<std::uint64_t> binned(const ReportTotals& totals) {
  std::vector<std::uint64_t> counts(kSizeBins.size(), 0);
  for (const auto& [size, clusters] : totals.clusters_by_size) {
    for (std::size_t i = 0; i < kSizeBins.size(); ++i) {
      if (size >= kSizeBins[i].first && size <= kSizeBins[i].last) counts[i] += clusters;
    }
  }
  while (!counts.empty() && counts.back() == 0) counts.pop_back();
  return counts;
}

// Notes become tooltips; names are the keys of summary.json, so that the two can be compared.
std::string value_list(const std::vector<NamedValue>& values) {
  std::string out = "<dl class=\"keys\">\n";
  for (const NamedValue& value : values) {
    const std::string note = value.note.empty() ? "" : fmt::format(" title=\"{}\"", html_text(value.note));
    out += fmt::format("<dt{}>{}</dt><dd>{}</dd>\n", note, html_text(value.name), html_text(value_text(value)));
  }
  return out + "</dl>\n";
}

// One row per kind with the first example: enough to see whether an archive is damaged or merely contains other data.
std::string broken_kinds_table(const Summary& summary) {
  std::string out =
      "<div class=\"scroll\"><table><thead><tr><th>Kind</th><th class=\"number\">Records</th><th>First at</th>"
      "</tr></thead><tbody>\n";
  for (const BrokenKind& kind : summary.broken) {
    out += fmt::format("<tr><td>{}</td>{}<td class=\"quiet break\">", html_text(kind.kind), number_cell(kind.count));
    if (!kind.examples.empty()) {
      const BrokenRecord& first = kind.examples.front();
      out += fmt::format("<bdi>{}</bdi> at byte {}", html_text(first.file), first.offset_bytes);
      if (!first.message.empty())
        out += fmt::format("<br><span class=\"faint small\">{}</span>", html_text(first.message));
    }
    out += "</td></tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

// An inline SVG bar chart. Linear in height: bins already compress the sizes, and values are printed on the bars.
std::string cluster_size_chart(const ReportTotals& totals) {
  constexpr int kWidth = 720;
  constexpr int kHeight = 190;
  constexpr int kBase = 160;  // y of the axis
  constexpr int kTop = 22;    // room for the values
  constexpr int kGap = 14;
  // The chart is laid out in units of the view box and scaled by the browser.
  const std::vector<std::uint64_t> counts = binned(totals);
  if (counts.empty()) return "<p>There are no clusters.</p>\n";
  const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
  // Limits the width of bars to about a ninth of the chart, so that two bars do not fill it.
  const int step = std::min(kWidth / static_cast<int>(counts.size()), kWidth / static_cast<int>(kSizeBins.size()) + 20);
  std::string out = fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Clusters by size\">\n", kWidth, kHeight);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const int left = static_cast<int>(i) * step;
    const double share = static_cast<double>(counts[i]) / static_cast<double>(most);
    // A bin in use gets a visible bar, however small its share.
    const double height = counts[i] == 0 ? 0 : std::max(2.0, share * (kBase - kTop));
    const int middle = left + (step - kGap) / 2;
    out += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" rx=\"2\"/>", left, kBase - height,
                       step - kGap, height);
    out += fmt::format("<text class=\"value\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", middle,
                       kBase - height - 6, count_text(counts[i]));
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", middle, kBase + 18,
                       kSizeBins[i].label);
  }
  out += fmt::format("<line x1=\"0\" y1=\"{0}\" x2=\"{1}\" y2=\"{0}\"/></svg>\n", kBase + 0.5,
                     step * static_cast<int>(counts.size()) - kGap);
  return out;
}

std::string broken_section(const ReportPlan& plan) {
  const Summary& summary = *plan.input.summary;
  std::string out = "<section id=\"broken\"><h2>Broken records</h2>\n";
  if (summary.broken.empty()) return out + "<p>Every record could be read.</p></section>\n";
  out += broken_kinds_table(summary);
  out += "<p class=\"cut\"><a href=\"broken.html\">List by file and offset</a></p>\n";
  return out + "</section>\n";
}

// All stored examples of each kind, with file and offset, where tools can find the record.
std::string broken_page(const ReportPlan& plan) {
  PageFrame frame;
  frame.title = fmt::format("Broken records \u2013 {}", plan.input.title);
  frame.name = plan.input.title;
  frame.name_href = "index.html";
  frame.script = PageScript::kTables;
  std::string out = page_begin(frame) + "<main>\n<h1>Broken records</h1>\n";
  for (const BrokenKind& kind : plan.input.summary->broken) {
    out += fmt::format("<section><h2>{} <span class=\"faint\">{}</span></h2>\n", html_text(kind.kind),
                       count_text(kind.count));
    out +=
        "<div class=\"scroll\"><table><thead><tr><th class=\"sort\">File</th><th class=\"number sort\">Offset in "
        "bytes</th>"
        "<th class=\"sort\">Problem</th></tr></thead><tbody>\n";
    // As many as summary.json has, whose counts are complete.
    const std::size_t shown = std::min(kind.examples.size(), kBrokenExamplesMaximum);
    for (std::size_t i = 0; i < shown; ++i) {
      const BrokenRecord& record = kind.examples[i];
      out += fmt::format(
          "<tr><td class=\"break\"><bdi>{}</bdi></td><td class=\"number\">{}</td><td class=\"break\">{}</td></tr>\n",
          html_text(record.file), record.offset_bytes, html_text(record.message));
    }
    out += "</tbody></table></div>\n" + cut_note(shown, kind.count, "records of this kind", ", the first ones.") +
           "</section>\n";
  }
  return out + "</main>\n" + page_end(frame);
}

// Settings are always visible, because they decide the result; counters and inputs are folded.
std::string run_section(const Summary& summary) {
  std::string out = "<section id=\"run\"><h2>This run</h2>\n";
  out += "<h3>Settings</h3>\n" + value_list(summary.settings);
  if (!summary.counters.empty()) {
    out += "<details><summary>All counters</summary><div class=\"columns\">\n";
    for (const NamedGroup& group : summary.counters) {
      out += fmt::format("<div><h3>{}</h3>\n{}</div>\n", html_text(group.name), value_list(group.values));
    }
    out += "</div></details>\n";
  }
  if (!summary.inputs.empty()) {
    constexpr std::size_t kInputsShown = 1'000;  // a crawl may have many thousands of files
    out += "<details><summary>Input files</summary><ul>\n";
    const std::size_t shown = std::min(summary.inputs.size(), kInputsShown);
    for (std::size_t i = 0; i < shown; ++i)
      out += fmt::format("<li class=\"mono break\"><bdi>{}</bdi></li>\n", html_text(summary.inputs[i]));
    out += "</ul>" + cut_note(shown, summary.inputs.size(), "input files", "; summary.json has all.") + "</details>\n";
  }
  return out + "</section>\n";
}

}  // namespace paraprint::inline report
