// The tables of the report: index, clusters, matches, hosts. Each page states what it leaves out and names the output
// file that has everything. Numbers are formatted for reading; data-v holds the value that tables.js sorts by.
#include "report/report_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "report/copies/copies_section.h"
#include "report/html_page.h"
#include "report/json_lines.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"

namespace paraprint::inline report {
namespace {

// The order in which verdicts are listed, from the closest copy down. kDistinct never removes a page.
constexpr std::array kRemovalVerdicts = {Verdict::kSame, Verdict::kNear, Verdict::kContained, Verdict::kContains,
                                         Verdict::kOverlap};

std::string_view removal_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame:
      return "same text as the kept page";
    case Verdict::kNear:
      return "same text as the kept page, with edits";
    case Verdict::kContained:
      return "nearly all of its text is in the kept page";
    case Verdict::kContains:
      return "nearly all of the kept page is in it";
    case Verdict::kOverlap:
      return "shares passages with the kept page";
    case Verdict::kDistinct:
      return "";
  }
  return "";
}

// 0 for a share of nothing: a run without pages prints zeros.
double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Examples are limited; counts are complete.
std::uint64_t broken_total(const Summary& summary) {
  std::uint64_t total = 0;
  for (const BrokenKind& kind : summary.broken) total += kind.count;
  return total;
}

// The key figures of a run. Pages without text are listed only if there are any.
std::string figures(const ReportInput& input) {
  const ReportTotals& totals = input.totals;
  const std::uint64_t removed = totals.removed();
  std::string out = "<dl class=\"figures\">\n";
  out += key_figure("Pages read", count_text(totals.pages), "");
  out += key_figure("Kept", count_text(totals.kept), html_text(percent_text(share_of(totals.kept, totals.pages))));
  out += key_figure("Removed", count_text(removed), html_text(percent_text(share_of(removed, totals.pages))));
  out += key_figure("Clusters", count_text(totals.clusters), "of two pages or more");
  if (totals.empty > 0) out += key_figure("Without text", count_text(totals.empty), "kept, not compared");
  out += key_figure("Broken records", count_text(broken_total(*input.summary)), "skipped");
  return out + "</dl>\n";
}

// A stacked bar and a table of removals by verdict, those for their language last. The bar is hidden from screen
// readers, because the table says the same.
std::string removal_section(const ReportTotals& totals) {
  const std::uint64_t removed = totals.removed();
  if (removed == 0)
    return "<section id=\"removed\"><h2>Why pages were removed</h2><p>Nothing was removed.</p></section>\n";
  std::string stack;
  std::string rows;
  const auto add = [&](std::string_view name, std::string_view label, std::string_view words) {
    const auto found = totals.removed_by.find(std::string(name));
    if (found == totals.removed_by.end() || found->second == 0) return;
    const double share = share_of(found->second, removed);
    stack += fmt::format("<i class=\"{}\" style=\"flex:{:.4f}\"></i>", name, share);
    rows += fmt::format("<tr><td>{}</td><td class=\"quiet\">{}</td>{}<td class=\"number\">{}</td></tr>\n", label, words,
                        number_cell(found->second), html_text(percent_text(share)));
  };
  for (const Verdict verdict : kRemovalVerdicts) {
    add(verdict_name(verdict), verdict_html(verdict), removal_words(verdict));
  }
  add(kReasonLanguage, "<span class=\"verdict\"><i class=\"dot language\"></i>language</span>",
      "in a language that was not to be kept");
  return "<section id=\"removed\"><h2>Why pages were removed</h2>\n<div class=\"stack\" aria-hidden=\"true\">" + stack +
         "</div>\n<div class=\"scroll\"><table><thead><tr><th>Verdict</th><th>The removed page</th>"
         "<th class=\"number\">Pages</th><th class=\"number\">Share</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div></section>\n";
}

// The verdicts of a cluster's members with their numbers, in the order of kRemovalVerdicts.
std::string verdict_counts(const ReportCluster& cluster) {
  std::string out;
  for (const Verdict verdict : kRemovalVerdicts) {
    const auto count = std::count_if(cluster.members.begin(), cluster.members.end(),
                                     [&](const ReportMember& m) { return m.match.verdict == verdict; });
    if (count == 0) continue;
    out += fmt::format("{}<span class=\"verdict\"><i class=\"dot {}\"></i>{} {}</span>", out.empty() ? "" : " &ensp; ",
                       verdict_name(verdict), count_text(static_cast<std::uint64_t>(count)), verdict_name(verdict));
  }
  return out;
}

std::string largest_section(const ReportPlan& plan) {
  const ReportInput& input = plan.input;
  // The first rows as a table, the other clusters with a page as a plain list behind a fold.
  const std::size_t rows = std::min(input.clusters.size(), input.limits.clusters_on_index);
  if (rows == 0) return {};
  std::string out =
      "<section id=\"largest\"><h2>Largest clusters</h2>\n<div class=\"scroll\"><table><thead><tr>"
      "<th class=\"number sort\">Pages</th><th class=\"sort\">Page kept</th><th>Removed as</th>"
      "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const ReportCluster& cluster = input.clusters[i];
    out += "<tr>" + number_cell(cluster.size) + page_cell(cluster.kept, cluster_file(cluster.number));
    out += fmt::format("<td class=\"small\">{}</td></tr>\n", verdict_counts(cluster));
  }
  out += "</tbody></table></div>\n";
  out += cut_note(rows, input.totals.clusters, "clusters", ", the largest ones; clusters.tsv has all.");
  if (input.clusters.size() > rows) {
    out += "<details><summary>More clusters with their own page</summary><ul>";
    for (std::size_t i = rows; i < input.clusters.size(); ++i) {
      const ReportCluster& cluster = input.clusters[i];
      const std::string& name = cluster.kept.title.empty() ? cluster.kept.id : cluster.kept.title;
      out += fmt::format("<li><a href=\"{}\"><bdi>{}</bdi></a> <span class=\"faint\">{} pages</span></li>\n",
                         cluster_file(cluster.number), html_text(utf8_prefix(name, kShownNameBytesMaximum)),
                         count_text(cluster.size));
    }
    out += "</ul></details>\n";
  }
  return out + "</section>\n";
}

// Single pages are stated in words: their bar would dwarf all others.
std::string size_section(const ReportTotals& totals) {
  const auto single = totals.clusters_by_size.find(1);
  const std::uint64_t singles = single == totals.clusters_by_size.end() ? 0 : single->second;
  std::string out = "<section id=\"sizes\"><h2>Cluster sizes</h2>\n";
  out +=
      fmt::format("<p class=\"quiet\">{} {} no copy in this input. The bars show the number of clusters by size.</p>\n",
                  count_text(singles), singles == 1 ? "page has" : "pages have");
  return out + cluster_size_chart(totals) + "</section>\n";
}

// A table of pages, kept and removed, by what the first column names.
std::string counts_begin(std::string_view first_column) {
  return fmt::format(
      "<div class=\"scroll\"><table><thead><tr><th class=\"sort\">{}</th><th class=\"number sort\">Pages</th>"
      "<th class=\"number sort\">Kept</th><th class=\"number sort\">Removed</th><th class=\"number sort\">Share "
      "removed</th>"
      "</tr></thead><tbody>\n",
      first_column);
}

std::string counts_row(std::string_view name, std::uint64_t pages, std::uint64_t removed) {
  std::string out =
      fmt::format("<tr><td class=\"break\"><bdi>{}</bdi></td>", html_text(utf8_prefix(name, kShownNameBytesMaximum)));
  out += number_cell(pages) + number_cell(pages - removed) + number_cell(removed);
  return out + share_cell(share_of(removed, pages)) + "</tr>\n";
}

std::string counts_end() {
  return "</tbody></table></div>\n";
}

std::string hosts_section(const ReportInput& input) {
  if (input.hosts.empty()) return {};
  const std::size_t rows = std::min(input.hosts.size(), input.limits.hosts_on_index);
  std::string out = "<section id=\"hosts\"><h2>Hosts</h2>\n" + host_table(input, rows);
  if (rows < input.hosts_total) {
    out += fmt::format(
        "<p class=\"cut\">The {} hosts with the most removed pages, of {}. <a href=\"hosts.html\">More hosts</a></p>\n",
        count_text(rows), count_text(input.hosts_total));
  }
  return out + "</section>\n";
}

// Most pages first. A run in one language has no table: the counters say which it is.
std::string languages_section(const ReportTotals& totals) {
  if (totals.languages.size() < 2) return {};
  std::vector<std::pair<std::string_view, ReportLanguage>> rows(totals.languages.begin(), totals.languages.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& x, const auto& y) { return x.second.pages > y.second.pages; });
  std::string out = "<section id=\"languages\"><h2>Languages</h2>\n" + counts_begin("Language");
  for (const auto& [code, language] : rows) {
    out += counts_row(code == "und" ? "not identified" : code, language.pages, language.removed);
  }
  return out + counts_end() + "</section>\n";
}

std::string matches_hint(const ReportPlan& plan) {
  if (plan.matches.empty()) return {};
  return fmt::format(
      "<p style=\"margin-top:1.4rem\"><a href=\"matches.html\">Compare {} {} side by side</a> "
      "<span class=\"quiet\">\u2014 the most doubtful removals first.</span></p>\n",
      count_text(plan.matches.size()), plan.matches.size() == 1 ? "match" : "matches");
}

std::string savings_hint(const ReportInput& input) {
  if (input.savings_href.empty()) return {};
  return fmt::format(
      "<p><a href=\"{}\">How many bytes that saves</a> <span class=\"quiet\">\u2014 by class, media "
      "type and host.</span></p>\n",
      input.savings_href);
}

// Frame of pages next to index.html; pages in subfolders adjust the link.
PageFrame table_frame(const ReportInput& input, std::string_view title) {
  PageFrame frame;
  frame.title = fmt::format("{} \u2013 {}", title, input.title);
  frame.name = input.title;
  frame.name_href = "index.html";
  frame.script = PageScript::kTables;
  return frame;
}

// The copies of a cluster, with links to the side-by-side pages of those that were copied from the kept page or are its
// source: other pairs have none.
std::string copies_of(const ReportPlan& plan, const ReportCluster& cluster) {
  if (!cluster.copies) return {};
  return copies_section(*cluster.copies, [&](const ListedCopy& copy, const ListedCopy& source) -> std::string {
    const bool is_kept = copy.page.id == cluster.kept.id;
    if (!is_kept && source.page.id != cluster.kept.id) return {};
    const auto match = plan.match_of_member.find({cluster.number, is_kept ? source.page.id : copy.page.id});
    return match == plan.match_of_member.end() ? "" : "../" + match_file(match->second);
  });
}

}  // namespace

std::string match_file(std::size_t index) {
  // At least four digits, so that files sort by number in a listing.
  return fmt::format("matches/{:04}.html", index + 1);
}

std::string cluster_file(std::uint64_t number) {
  return fmt::format("clusters/{}.html", number);
}

// Other pairs get their share first: clusters could use up any limit.
std::vector<ShownMatch> choose_matches(const ReportInput& input) {
  const ReportLimits& limits = input.limits;
  const std::size_t others = std::min({input.other_pairs.size(), limits.other_pairs, limits.matches});
  const std::size_t from_clusters = limits.matches - others;
  // The members of each cluster, most doubtful first; the id breaks ties. Only members listed in the cluster's table,
  // where the link to the match is.
  std::vector<std::vector<const ReportMember*>> queues;
  for (const ReportCluster& cluster : input.clusters) {
    std::vector<const ReportMember*>& queue = queues.emplace_back();
    for (std::size_t i = 0; i < std::min(cluster.members.size(), limits.members); ++i) {
      queue.push_back(&cluster.members[i]);
    }
    std::sort(queue.begin(), queue.end(), [](const ReportMember* x, const ReportMember* y) {
      return std::tie(x->match.resemblance, x->page.id) < std::tie(y->match.resemblance, y->page.id);
    });
  }
  std::vector<ShownMatch> chosen;
  // Clusters take turns, so that one large cluster does not take all pages.
  for (std::size_t turn = 0; chosen.size() < from_clusters; ++turn) {
    const std::size_t before = chosen.size();
    for (std::size_t c = 0; c < queues.size() && chosen.size() < from_clusters; ++c) {
      if (turn >= queues[c].size()) continue;
      const ReportMember& member = *queues[c][turn];
      chosen.push_back({&member.page, &input.clusters[c].kept, member.match, input.clusters[c].number});
    }
    // All members of all clusters have been chosen.
    if (chosen.size() == before) break;
  }
  for (std::size_t i = 0; i < others; ++i) {
    const ReportPair& pair = input.other_pairs[i];
    chosen.push_back({&pair.a, &pair.b, pair.match, 0});
  }
  return chosen;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> matches_to_show(const ReportInput& input) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  // The same choice as plan_report() will make: choose_matches() depends on `input` alone.
  for (const ShownMatch& match : choose_matches(input)) pairs.emplace_back(match.a->page, match.b->page);
  return pairs;
}

// Pointers and views in the plan refer to `input`, which must outlive it.
ReportPlan plan_report(const ReportInput& input) {
  ReportPlan plan{input, choose_matches(input), {}};
  for (std::size_t i = 0; i < plan.matches.size(); ++i) {
    const ShownMatch& match = plan.matches[i];
    if (match.cluster != 0) plan.match_of_member.emplace(std::pair(match.cluster, std::string_view(match.a->id)), i);
  }
  return plan;
}

// The first page: key figures, why pages were removed, the largest clusters, hosts, broken records and settings.
std::string index_page(const ReportPlan& plan) {
  const ReportInput& input = plan.input;
  PageFrame frame = table_frame(input, "paraprint");
  frame.title = input.title;
  frame.name = "paraprint";
  frame.name_href.clear();
  // Links to sections of this page; only pages that exist are linked.
  frame.links = {{"Sizes", "#sizes", ""}, {"Clusters", "#largest", ""}};
  if (!plan.matches.empty()) frame.links.push_back({"Matches", "matches.html", ""});
  if (!input.savings_href.empty()) frame.links.push_back({"Bytes saved", input.savings_href, ""});
  frame.links.insert(frame.links.end(), {{"Hosts", "#hosts", ""}, {"Broken", "#broken", ""}, {"Run", "#run", ""}});
  std::string out = page_begin(frame) + "<main>\n";
  out += fmt::format("<h1><bdi>{}</bdi></h1>\n", html_text(input.title));
  const std::size_t inputs = input.summary->inputs.size();
  out += fmt::format("<p class=\"quiet\">paraprint {} {} \u00B7 {} input {}</p>\n", html_text(input.summary->command),
                     html_text(input.summary->version), count_text(inputs), inputs == 1 ? "file" : "files");
  out += figures(input) + matches_hint(plan) + savings_hint(input);
  out += removal_section(input.totals) + size_section(input.totals) + largest_section(plan);
  out += languages_section(input.totals) + hosts_section(input) + broken_section(plan) + run_section(*input.summary);
  return out + "</main>\n" + page_end(frame);
}

// One cluster: the kept page, and the removed ones with verdict, scores and the reason for keeping the other page.
std::string cluster_page(const ReportPlan& plan, const ReportCluster& cluster) {
  const ReportInput& input = plan.input;
  PageFrame frame = table_frame(input, fmt::format("Cluster {}", cluster.number));
  frame.name_href = "../index.html";
  const std::string_view name = !cluster.kept.title.empty() ? cluster.kept.title : cluster.kept.id;
  std::string out = page_begin(frame) + "<main>\n";
  out += fmt::format("<p class=\"quiet\">Cluster {} \u00B7 {} pages</p>\n<h1><bdi class=\"break\">{}</bdi></h1>\n",
                     cluster.number, count_text(cluster.size), html_text(utf8_prefix(name, kShownNameBytesMaximum)));
  out += "<dl class=\"keys\">\n<dt>Page kept</dt><dd><bdi>";
  out += url_html(cluster.kept.url.empty() ? cluster.kept.id : cluster.kept.url) + "</bdi></dd>\n";
  if (!cluster.kept.date.empty()) out += fmt::format("<dt>Date</dt><dd>{}</dd>\n", html_text(cluster.kept.date));
  out += fmt::format("<dt>Characters</dt><dd>{}</dd>\n</dl>\n", count_text(cluster.kept.content_characters));
  out +=
      "<section><h2>Removed pages</h2>\n<div class=\"scroll\"><table><thead><tr><th class=\"sort\">Removed page</th>"
      "<th class=\"sort\">Verdict</th><th class=\"number sort\" title=\"Share of the removed page that is in the "
      "page "
      "kept\">In kept page</th><th class=\"number sort\" title=\"Share of the kept page that is in the removed "
      "page\">Of kept page</th><th class=\"number sort\">Characters</th><th class=\"sort\">Why the other was kept</th>"
      "</tr></thead><tbody>\n";
  const std::size_t shown = std::min(cluster.members.size(), input.limits.members);
  for (std::size_t i = 0; i < shown; ++i) {
    const ReportMember& member = cluster.members[i];
    // Members without a side-by-side page have a plain title.
    const auto match = plan.match_of_member.find({cluster.number, member.page.id});
    const std::string href = match == plan.match_of_member.end() ? "" : "../" + match_file(match->second);
    out += "<tr>" + page_cell(member.page, href);
    out += fmt::format("<td>{}</td>", verdict_html(member.match.verdict));
    out += share_cell(member.match.containment_a) + share_cell(member.match.containment_b);
    out += number_cell(member.page.content_characters);
    out += fmt::format("<td class=\"quiet\">{}</td></tr>\n", html_text(member.reason));
  }
  out += "</tbody></table></div>\n";
  // The size includes the kept page, which is not in this table.
  out += cut_note(shown, cluster.size - 1, "removed pages", "; removed.jsonl has all.");
  out += "<p class=\"cut\">Titles that are links open the two texts side by side.</p>\n</section>\n";
  return out + copies_of(plan, cluster) + "</main>\n" + page_end(frame);
}

// All side-by-side pages in one sortable table.
std::string matches_page(const ReportPlan& plan) {
  const ReportInput& input = plan.input;
  const PageFrame frame = table_frame(input, "Matches");
  std::string out = page_begin(frame) + "<main>\n<h1>Matches side by side</h1>\n";
  out +=
      "<p class=\"quiet\">A is the removed page, B the kept page. Clusters alternate, each with its most doubtful "
      "member first; pairs that only share passages come last, because nothing was removed for them.</p>\n";
  out +=
      "<div class=\"scroll\"><table><thead><tr><th class=\"number sort\">No.</th><th class=\"sort\">A</th>"
      "<th class=\"sort\">B</th><th class=\"sort\">Verdict</th><th class=\"number sort\">A in B</th>"
      "<th class=\"number sort\">B in A</th><th class=\"number sort\">Cluster</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < plan.matches.size(); ++i) {
    const ShownMatch& match = plan.matches[i];
    out += "<tr>" + number_cell(i + 1) + page_cell(*match.a, match_file(i)) + page_cell(*match.b, "");
    out += fmt::format("<td>{}</td>", verdict_html(match.match.verdict));
    out += share_cell(match.match.containment_a) + share_cell(match.match.containment_b);
    // data-v 0 sorts pairs outside clusters together.
    if (match.cluster == 0) {
      out += "<td class=\"number faint\" data-v=\"0\">\u2013</td></tr>\n";
    } else {
      out += fmt::format("<td class=\"number\"><a href=\"{}\">{}</a></td></tr>\n", cluster_file(match.cluster),
                         match.cluster);
    }
  }
  out += "</tbody></table></div>\n";
  const std::uint64_t removed = input.totals.removed();
  // Not cut_note(): the number of all matches is not known here.
  if (removed + input.other_pairs.size() > plan.matches.size()) {
    out += fmt::format(
        "<p class=\"cut\">At most {} matches have their own page; matches.jsonl has the evidence for all of "
        "them.</p>\n",
        count_text(input.limits.matches));
  }
  return out + "</main>\n" + page_end(frame);
}

std::string hosts_page(const ReportPlan& plan) {
  const ReportInput& input = plan.input;
  const PageFrame frame = table_frame(input, "Hosts");
  std::string out = page_begin(frame) + "<main>\n<h1>Hosts</h1>\n" + host_table(input, input.hosts.size());
  out += cut_note(input.hosts.size(), input.hosts_total, "hosts", ", those with the most removed pages.");
  return out + "</main>\n" + page_end(frame);
}

// The first `rows` hosts. Used on index.html and, with all rows, on hosts.html.
std::string host_table(const ReportInput& input, std::size_t rows) {
  std::string out = counts_begin("Host");
  for (std::size_t i = 0; i < std::min(rows, input.hosts.size()); ++i) {
    const ReportHost& host = input.hosts[i];
    out += counts_row(host.host, host.pages, host.removed);
  }
  return out + counts_end();
}

}  // namespace paraprint::inline report
