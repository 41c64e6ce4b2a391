// savings.html: a sentence, the figures, and per class, media type and host a chart and a table. Charts are SVG without
// script; they are hidden from screen readers, because the tables say the same.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/html_page.h"
#include "report/savings_report.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"

namespace paraprint::inline report {
namespace {

constexpr std::size_t kChartRowsMaximum = 12;
constexpr std::size_t kChartNameBytesMaximum = 40;

// By class, in the order of kSavingsClassNames: the colours of the other reports, and what readers are told.
constexpr std::array<std::string_view, kSavingsClassNames.size()> kColours = {"same", "near", "overlap", "contained",
                                                                              "kept"};
constexpr std::array<std::string_view, kSavingsClassNames.size()> kWords = {
    "Equal payload: replaced by a revisit record", "Near-duplicate page: left out, or replaced by a metadata record",
    "Copy of a page with nothing but the template of its site: likewise",
    "Request or metadata of such a page: left out", "Kept"};

constexpr std::array<std::string_view, kSavingsKept> kLegend = {"Equal payload", "Near-duplicate page", "Template page",
                                                                "Request or metadata of such a page"};

constexpr std::string_view kStyle =
    ".chart rect.same { fill: var(--v-same); } .chart rect.contained { fill: var(--v-contained); }\n"
    ".chart rect.overlap { fill: var(--v-overlap); }\n"
    ".chart { min-width: 34rem; } td.break { min-width: 10rem; }\n"
    ".chart .value { font-variant-numeric: tabular-nums; } .chart .name { fill: var(--ink); }\n"
    ".legend { display: flex; flex-wrap: wrap; gap: .25rem 1.3rem; margin: .9rem 0 0; padding: 0; list-style: none; "
    "font-size: .88rem; }\n"
    "tfoot td { color: var(--ink-2); }\n";

// 0 of nothing and for a loss.
double share_saved(const SavedBytes& amounts) {
  if (amounts.bytes_before == 0 || amounts.bytes_saved() <= 0) return 0;
  return static_cast<double>(amounts.bytes_saved()) / static_cast<double>(amounts.bytes_before);
}

// A number and its unit on one line.
std::string unbroken(std::string text) {
  if (const std::size_t space = text.find(' '); space != std::string::npos) text.replace(space, 1, "\u00A0");
  return text;
}

std::string size_text(std::uint64_t size_bytes) {
  return unbroken(bytes_text(size_bytes));
}

std::string signed_size_text(std::int64_t size_bytes) {
  // Negation in unsigned arithmetic: -INT64_MIN is not an int64_t.
  const auto size = static_cast<std::uint64_t>(size_bytes);
  return size_bytes < 0 ? "\u2212" + size_text(-size) : size_text(size);
}

std::string bytes_cell(std::int64_t size_bytes) {
  return fmt::format("<td class=\"number\" data-v=\"{0}\" title=\"{0} bytes\">{1}</td>", size_bytes,
                     signed_size_text(size_bytes));
}

std::string amount_cells(const SavedBytes& amounts) {
  return bytes_cell(static_cast<std::int64_t>(amounts.bytes_before)) +
         bytes_cell(static_cast<std::int64_t>(amounts.bytes_after)) + bytes_cell(amounts.bytes_saved()) +
         share_cell(share_saved(amounts));
}

constexpr std::string_view kAmountHeads =
    "<th class=\"number sort\">Before</th><th class=\"number sort\">After</th><th class=\"number sort\">Saved</th>"
    "<th class=\"number sort\">Share saved</th></tr></thead><tbody>\n";

// The whole of the records as one bar: what each class saved, and what is still there.
std::string whole_bar(const SavingsRow& totals) {
  const std::uint64_t before = totals.all().bytes_before;
  if (before == 0) return {};
  std::string out = "<div class=\"stack\" aria-hidden=\"true\">";
  for (std::size_t i = 0; i < kSavingsKept; ++i) {
    const std::int64_t saved = totals.classes[i].bytes_saved();
    if (saved <= 0) continue;
    out += fmt::format("<i class=\"{}\" style=\"width:{:.3f}%\"></i>", kColours[i],
                       100 * static_cast<double>(saved) / static_cast<double>(before));
  }
  return out + "<i class=\"kept\" style=\"flex:1\"></i></div>\n";
}

std::string class_section(const SavingsReport& report) {
  std::string out = "<section id=\"classes\"><h2>What became of the records</h2>\n" + whole_bar(report.totals) +
                    "<div class=\"scroll\"><table><thead><tr><th>Records</th><th class=\"number\">Number</th>"
                    "<th class=\"number\">Before</th><th class=\"number\">After</th><th class=\"number\">Saved</th>"
                    "<th class=\"number\">Share saved</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    const SavedBytes& amounts = report.totals.classes[i];
    if (amounts.records == 0) continue;
    out += fmt::format("<tr><td class=\"page\"><i class=\"dot {}\"></i>{}</td>", kColours[i], kWords[i]);
    out += number_cell(amounts.records) + amount_cells(amounts) + "</tr>\n";
  }
  return out + "</tbody></table></div></section>\n";
}

std::string shown_name(const std::string& name, std::string_view unknown, std::size_t bytes_maximum) {
  if (name.empty()) return fmt::format("({})", unknown);
  const std::string_view prefix = utf8_prefix(name, bytes_maximum);
  return html_text(prefix) + (prefix.size() < name.size() ? "\u2026" : "");
}

std::uint64_t charted_bytes(const SavingsRow& row) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kSavingsKept; ++i) {
    sum += static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.classes[i].bytes_saved()));
  }
  return sum;
}

// Laid out in units of the view box; the browser scales it.
struct ChartPlace {
  static constexpr double kWidth = 720;
  static constexpr double kNameWidth = 230;
  static constexpr double kValueWidth = 160;
  static constexpr double kRowHeight = 24;
  static constexpr double kBarHeight = 13;
  static constexpr double kBarWidth = kWidth - kNameWidth - kValueWidth;
};

std::string chart_row(const SavingsRow& row, std::string_view unknown, double y, std::uint64_t most) {
  using Place = ChartPlace;
  std::string out = fmt::format("<text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                                Place::kNameWidth - 10, y + 11, shown_name(row.name, unknown, kChartNameBytesMaximum));
  double x = Place::kNameWidth;
  for (std::size_t i = 0; i < kSavingsKept; ++i) {
    const std::int64_t saved = row.classes[i].bytes_saved();
    if (saved <= 0) continue;
    const double width = Place::kBarWidth * static_cast<double>(saved) / static_cast<double>(most);
    out += fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\"/>", kColours[i], x, y,
                       std::max(width, 0.5), Place::kBarHeight);
    x += width;
  }
  return out + fmt::format("<text class=\"value\" x=\"{:.2f}\" y=\"{}\">{} \u00B7 {}</text>\n", x + 8, y + 11,
                           signed_size_text(row.all().bytes_saved()), html_text(percent_text(share_saved(row.all()))));
}

// The bars show what was saved, by class; rows that saved nothing have none, and a single row has nothing to compare.
std::string chart(const SavingsTable& table, std::string_view unknown) {
  std::vector<const SavingsRow*> rows;
  std::uint64_t most = 0;
  std::array<bool, kSavingsKept> is_used{};
  for (const SavingsRow& row : table.rows()) {
    if (rows.size() == kChartRowsMaximum) break;
    if (charted_bytes(row) == 0) continue;
    rows.push_back(&row);
    most = std::max(most, charted_bytes(row));
    for (std::size_t i = 0; i < kSavingsKept; ++i) is_used[i] |= row.classes[i].bytes_saved() > 0;
  }
  if (rows.size() < 2) return {};
  std::string out = "<ul class=\"legend\" aria-hidden=\"true\">";
  for (std::size_t i = 0; i < kSavingsKept; ++i) {
    if (is_used[i]) out += fmt::format("<li><i class=\"dot {}\"></i>{}</li>", kColours[i], kLegend[i]);
  }
  out += fmt::format("</ul>\n<div class=\"scroll\"><svg class=\"chart\" viewBox=\"0 0 {} {}\" aria-hidden=\"true\">\n",
                     ChartPlace::kWidth, ChartPlace::kRowHeight * static_cast<double>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += chart_row(*rows[i], unknown, ChartPlace::kRowHeight * static_cast<double>(i) + 5, most);
  }
  return out + "</svg></div>\n";
}

std::string row_cells(const SavingsRow& row) {
  return number_cell(row.all().records) + number_cell(row.records_removed()) + amount_cells(row.all());
}

struct TableWords {
  std::string_view id;
  std::string_view title;
  std::string_view head;
  std::string_view unknown;
  std::string_view plural;
};

std::string table_section(const SavingsTable& table, const TableWords& words) {
  std::string out = fmt::format("<section id=\"{}\"><h2>{}</h2>\n", words.id, words.title) +
                    chart(table, words.unknown) + "<div class=\"scroll\"><table><thead><tr>" +
                    fmt::format("<th class=\"sort\">{}</th><th class=\"number sort\">Records</th>", words.head) +
                    "<th class=\"number sort\" title=\"Left out or replaced\">Removed</th>";
  out += kAmountHeads;
  for (const SavingsRow& row : table.rows()) {
    out += fmt::format("<tr><td class=\"break\"><bdi>{}</bdi></td>{}</tr>\n",
                       shown_name(row.name, words.unknown, kShownNameBytesMaximum), row_cells(row));
  }
  out += "</tbody>";
  const std::uint64_t others = table.size() - table.rows().size();
  if (others > 0) {
    out += fmt::format("<tfoot><tr><td>{} other {}</td>{}</tr></tfoot>", count_text(others), words.plural,
                       row_cells(table.other()));
  }
  return out + "</table></div>\n" +
         cut_note(table.rows().size(), table.size(), words.plural, ", those that saved most.") + "</section>\n";
}

std::string lead(const SavingsReport& report) {
  const SavedBytes all = report.totals.all();
  const std::uint64_t removed = report.totals.records_removed();
  if (removed == 0) return "<p>Nothing was left out or replaced: every record was kept.</p>\n";
  const std::string out = fmt::format("<p>{} of {} {}", count_text(removed), counted(all.records, "record", "records"),
                                      removed == 1 ? "was left out or replaced by a short record about it"
                                                   : "were left out or replaced by short records about them");
  if (all.bytes_saved() < 0) {
    return out +
           fmt::format(", but the records are now larger by {}.</p>\n", size_text(all.bytes_after - all.bytes_before));
  }
  return out + fmt::format(", which saves {} of {} of records ({}).</p>\n", signed_size_text(all.bytes_saved()),
                           size_text(all.bytes_before), html_text(unbroken(percent_text(share_saved(all)))));
}

std::string figures(const SavingsReport& report) {
  const SavedBytes all = report.totals.all();
  const SavedBytes files = {0, report.file_bytes_before, report.file_bytes_after};
  const std::uint64_t removed = report.totals.records_removed();
  std::string out = "<dl class=\"figures\">\n";
  out += key_figure("Records", count_text(all.records), fmt::format("{} left out or replaced", count_text(removed)));
  out += key_figure("Saved in records", signed_size_text(all.bytes_saved()),
                    fmt::format("{} before, {} after", size_text(all.bytes_before), size_text(all.bytes_after)));
  out += key_figure("Saved in files", signed_size_text(files.bytes_saved()),
                    fmt::format("{} before, {} after", size_text(files.bytes_before), size_text(files.bytes_after)));
  return out + "</dl>\n";
}

}  // namespace

std::string savings_page(const SavingsReport& report) {
  PageFrame frame;
  frame.title = "What paraprint saved";
  frame.name = "paraprint";
  frame.links = {{"Records", "#classes", ""}, {"Media types", "#media-types", ""}, {"Hosts", "#hosts", ""}};
  if (!report.report_href.empty()) frame.links.push_back({"Copies found", report.report_href, ""});
  frame.script = PageScript::kTables;
  frame.style = kStyle;
  std::string out = page_begin(frame) + "<main>\n<h1>What paraprint saved</h1>\n" + lead(report) + figures(report);
  out +=
      "<p class=\"cut\">Sizes of records are those of their bytes without compression, headers included. Sizes of "
      "files "
      "are those on disk, and depend on how well they are compressed.</p>\n";
  out += class_section(report);
  out += table_section(report.media_types,
                       {"media-types", "Media types", "Media type, as stated", "none stated", "media types"});
  out += table_section(report.hosts, {"hosts", "Hosts", "Host", "no host", "hosts"});
  return out + "</main>\n" + page_end(frame);
}

}  // namespace paraprint::inline report
