// One page without links to others: figures, a table of benchmarks, and pairs of texts with what they have in common.
#include "contamination/contamination_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/html_page.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"

namespace paraprint::inline contamination {
namespace {

constexpr std::uint32_t kContextBytes = 160;
constexpr std::uint32_t kShownBytesMaximum = 1200;

constexpr std::size_t kShownCandidatesMaximum = 10 * kShownFindsMaximum;
constexpr std::uint64_t kShownCandidatesOfItem = 10 * kShownFindsOfItem;

constexpr std::string_view kStyle =
    ".pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1.4rem; padding: 1rem 0; border-top: 1px solid "
    "var(--line); }\n"
    ".pair > div { min-width: 0; } .pair p { margin: .4rem 0 0; overflow-wrap: anywhere; white-space: pre-line; }\n"
    ".pair h3 { margin: 0; font-size: .95rem; overflow-wrap: anywhere; }\n"
    ".pair mark { color: inherit; background: color-mix(in srgb, var(--v-same) 24%, transparent); }\n"
    "@media (max-width: 44rem) { .pair { grid-template-columns: 1fr; } }\n";

// By verdict: the dots of the other reports, and what readers are told.
struct VerdictLook {
  std::string_view dot;
  std::string_view words;
};
constexpr VerdictLook kLooks[] = {{"same", "word for word"}, {"near", "with edits"}, {"contained", "in part"}};

const VerdictLook& look_of(ItemVerdict verdict) {
  return kLooks[static_cast<std::size_t>(verdict)];
}

std::string marked_html(const ShownText& shown) {
  std::string out = shown.begins_early ? "<p>" : "<p>\u2026";
  std::uint32_t at = 0;
  const std::string_view text = shown.text;
  for (const TextSpan& span : shown.spans) {
    if (span.begin_bytes < at || span.end_bytes > text.size()) continue;
    append_html_text(out, text.substr(at, span.begin_bytes - at));
    out += "<mark>";
    append_html_text(out, text.substr(span.begin_bytes, span.size_bytes()));
    out += "</mark>";
    at = span.end_bytes;
  }
  append_html_text(out, text.substr(at));
  return out + (shown.ends_late ? "</p>" : "\u2026</p>");
}

std::string figures(const ContaminationReport& report) {
  const auto share = [&](std::uint64_t count) {
    return html_text(
        percent_text(report.documents == 0 ? 0 : static_cast<double>(count) / static_cast<double>(report.documents)));
  };
  std::string out = "<dl class=\"figures\">\n";
  out += key_figure("Documents", count_text(report.documents), "");
  out += key_figure("Hold an item word for word", count_text(report.documents_exact), share(report.documents_exact));
  out += key_figure("With edits", count_text(report.documents_whole), share(report.documents_whole));
  out += key_figure("In part", count_text(report.documents_part), share(report.documents_part));
  out += key_figure("Broken records", count_text(report.broken_records), "skipped");
  return out + "</dl>\n";
}

std::string benchmarks_section(const ContaminationReport& report) {
  std::string out =
      "<section id=\"benchmarks\"><h2>Benchmarks</h2>\n<div class=\"scroll\"><table><thead><tr>"
      "<th class=\"sort\">Benchmark</th><th class=\"number sort\">Items</th>"
      "<th class=\"number sort\" title=\"Not looked for\">Too short</th><th class=\"number sort\">Word for word</th>"
      "<th class=\"number sort\">With edits</th><th class=\"number sort\">In part</th>"
      "<th class=\"number sort\" title=\"Word for word or with edits, of the items that were looked for\">Share</th>"
      "</tr></thead><tbody>\n";
  for (const BenchmarkTotals& row : report.benchmarks) {
    const std::uint64_t looked_for = row.items - row.too_short;
    const double share =
        looked_for == 0 ? 0 : static_cast<double>(row.found_exact + row.found_whole) / static_cast<double>(looked_for);
    out += fmt::format("<tr><td class=\"break\"><bdi>{}</bdi></td>{}{}{}{}{}{}</tr>\n", html_text(row.name),
                       number_cell(row.items), number_cell(row.too_short), number_cell(row.found_exact),
                       number_cell(row.found_whole), number_cell(row.found_part), share_cell(share));
  }
  return out + "</tbody></table></div></section>\n";
}

std::string finds_section(const ContaminationReport& report) {
  if (report.finds.empty()) return "<section id=\"finds\"><h2>Items found</h2><p>None.</p></section>\n";
  std::string out = "<section id=\"finds\"><h2>Items found</h2>\n";
  for (const ShownFind& find : report.finds) {
    out += fmt::format(
        "<div class=\"pair\"><div><h3><i class=\"dot {}\"></i>{} <span class=\"quiet\">of {}, {} ({})</span></h3>{}"
        "</div><div><h3>{} <span class=\"quiet\">{}</span></h3>{}</div></div>\n",
        look_of(find.verdict).dot, html_text(find.item_id), html_text(find.benchmark), look_of(find.verdict).words,
        html_text(percent_text(find.share)), marked_html(find.item), html_text(find.document_id),
        url_html(find.document_url), marked_html(find.document));
  }
  return out + cut_note(report.finds.size(), report.finds_total, "finds", "; contaminated.jsonl has all.") +
         "</section>\n";
}

}  // namespace

void ShownCandidates::add(std::size_t number, std::uint32_t item, ShownFind&& find) {
  if (finds_.size() >= kShownCandidatesMaximum || of_item_[item] >= kShownCandidatesOfItem) return;
  ++of_item_[item];
  finds_.emplace_back(number, std::move(find));
}

ShownFind* ShownCandidates::find(std::size_t number) {
  while (next_ < finds_.size() && finds_[next_].first < number) ++next_;
  return next_ < finds_.size() && finds_[next_].first == number ? &finds_[next_].second : nullptr;
}

ShownText shown_text(std::string_view text, const std::vector<TextSpan>& spans) {
  ShownText shown;
  const auto size = static_cast<std::uint32_t>(text.size());
  std::uint32_t begin = spans.empty() ? 0 : spans.front().begin_bytes;
  begin -= std::min(begin, kContextBytes);
  std::uint32_t end = spans.empty() ? size : std::min(size, spans.back().end_bytes + kContextBytes);
  end = std::min(end, begin + kShownBytesMaximum);
  const TextSpan place = clamp_to_characters(text, {begin, end});
  shown.text = text.substr(place.begin_bytes, place.size_bytes());
  shown.begins_early = place.begin_bytes == 0;
  shown.ends_late = place.end_bytes == size;
  for (const TextSpan& span : spans) {
    if (span.begin_bytes >= place.end_bytes) break;
    shown.spans.push_back(
        {span.begin_bytes - place.begin_bytes, std::min(span.end_bytes, place.end_bytes) - place.begin_bytes});
  }
  return shown;
}

std::string contamination_page(const ContaminationReport& report) {
  PageFrame frame;
  frame.title = "Benchmark items in the corpus";
  frame.name = "paraprint";
  frame.links = {{"Benchmarks", "#benchmarks", ""}, {"Items found", "#finds", ""}};
  frame.script = PageScript::kTables;
  frame.style = kStyle;
  return page_begin(frame) + "<main>\n<h1>Benchmark items in the corpus</h1>\n" + figures(report) +
         benchmarks_section(report) + finds_section(report) + "</main>\n" + page_end(frame);
}

}  // namespace paraprint::inline contamination
