// Writes the HTML report, in the frame of the other reports (report/html_page.h). Hosts, URLs and everything else that
// comes from the web passes html_text() or url_html(). Tables can be sorted by the script of the frame; without it they
// are in a useful order already.
#include "crawl/crawl_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "options/command_tables.h"
#include "report/html_page.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"

namespace paraprint::inline crawler {
namespace {

std::string figure(std::string_view name, std::uint64_t value, std::string_view note) {
  return fmt::format("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, count_text(value), html_text(note));
}

// Sums the reasons in [first, end). The numbers of reasons are grouped by outcome (crawl_reason.h), so the three
// functions below need no list of reasons.
std::uint64_t count_between(const HostRecord& record, CrawlReason first, CrawlReason end) {
  std::uint64_t sum = 0;
  for (const auto& [reason, count] : record.reasons) {
    if (reason >= first && reason < end) sum += count;
  }
  return sum;
}

std::uint64_t skipped_of(const HostRecord& record) {
  return count_between(record, CrawlReason::kNone, CrawlReason::kHttpStatus);
}
std::uint64_t refused_of(const HostRecord& record) {
  return count_between(record, CrawlReason::kHttpStatus, CrawlReason::kPrivateAddress);
}
std::uint64_t failed_of(const HostRecord& record) {
  return count_between(record, CrawlReason::kPrivateAddress, CrawlReason::kNotIndexed);
}

// Whether the crawl is finished, and if not, why it stopped and how to resume it.
std::string state_words(const CrawlOutcome& outcome) {
  if (outcome.is_complete) return "Complete: no URLs are left.";
  const std::string left =
      fmt::format("{} URLs are waiting; the same command resumes the crawl.", count_text(outcome.totals.queued));
  if (outcome.stopped_by == "page-limit") return "Stopped at the page limit. " + left;
  return "Stopped on request. " + left;
}

// Totals of all runs of the crawl, not only of the last one.
std::string head_section(const CrawlReport& report) {
  const HostRecord& totals = report.totals;
  const std::uint64_t pages = totals.pages();
  const double copy_share = pages == 0 ? 0 : static_cast<double>(totals.copies) / static_cast<double>(pages);
  std::string out =
      fmt::format("<h1>Crawl of {}</h1>\n<p class=\"quiet\">{}</p>\n",
                  report.seeds.empty() ? "" : url_html(report.seeds.front()), state_words(report.outcome));
  if (report.seeds.size() > 1) {
    out += fmt::format("<p class=\"quiet small\">the first of {} seeds</p>\n", count_text(report.seeds.size()));
  }
  out += "<dl class=\"figures\">\n";
  out += figure("Pages", pages, bytes_text(totals.received_bytes) + " received");
  out += figure("With new text", totals.stored, "");
  out += figure("Copies", totals.copies, percent_text(copy_share) + " of the pages");
  if (totals.unchanged > 0) out += figure("Unchanged", totals.unchanged, "since the last visit");
  out += figure("Not requested", skipped_of(totals), "");
  out += figure("Refused or failed", refused_of(totals) + failed_of(totals), "");
  out += figure("Requests", totals.requests, fmt::format("{} hosts", count_text(report.hosts_total)));
  return out + "</dl>\n";
}

// One row per reason that occurred, in the order of kCrawlReasons.
std::string reasons_section(const CrawlReport& report) {
  std::string rows;
  for (const CrawlReasonInfo& info : kCrawlReasons) {
    const auto found = report.totals.reasons.find(info.reason);
    if (found == report.totals.reasons.end() || found->second == 0) continue;
    const std::string_view kind = info.reason < CrawlReason::kHttpStatus       ? "not requested"
                                  : info.reason < CrawlReason::kPrivateAddress ? "refused"
                                  : info.reason < CrawlReason::kNotIndexed     ? "failed"
                                                                               : "page";
    rows += fmt::format("<tr><td class=\"mono\">{}</td><td>{}</td><td class=\"quiet\">{}</td>{}</tr>\n", info.name,
                        kind, info.words, number_cell(found->second));
  }
  std::string out = "<section id=\"reasons\"><h2>Skipped URLs and reasons</h2>\n";
  if (rows.empty()) {
    out += "<p>Nothing was skipped.</p>\n";
  } else {
    out +=
        "<div class=\"scroll\"><table><thead><tr><th class=\"sort\">Reason</th><th "
        "class=\"sort\">Outcome</th><th>Meaning</th><th class=\"number sort\">URLs</th></tr></thead><tbody>\n" +
        rows + "</tbody></table></div>\n";
  }
  out += fmt::format(
      "<p class=\"cut\">In addition, {} links led to hosts outside the crawl, {} were not usable URLs, and {} on "
      "copies were not followed. log.jsonl has a line for each URL.</p></section>\n",
      count_text(report.links_off_scope), count_text(report.links_unusable),
      count_text(report.totals.links_not_followed));
  return out;
}

// The table of hosts; gather_report() has sorted and cut it.
std::string hosts_section(const CrawlReport& report) {
  std::string out =
      "<section id=\"hosts\"><h2>Hosts</h2>\n<div class=\"scroll\"><table><thead><tr><th class=\"sort\">Host</th>"
      "<th class=\"number sort\">Pages</th><th class=\"number sort\">Copies</th><th class=\"number sort\">Share of "
      "pages</th>"
      "<th class=\"number sort\">Requests</th><th class=\"number sort\">Not requested</th>"
      "<th class=\"number sort\">Refused</th><th class=\"number sort\">Failed</th>"
      "<th class=\"number sort\">Waiting</th><th class=\"number sort\">Received</th></tr></thead><tbody>\n";
  for (const CrawlReportHost& host : report.hosts) {
    const HostRecord& record = host.record;
    const std::uint64_t pages = record.pages();
    out += fmt::format(
        "<tr><td class=\"page\"><bdi>{}</bdi></td>{}{}{}{}{}{}{}{}<td class=\"number\" "
        "data-v=\"{}\">{}</td></tr>\n",
        html_text(host.host), number_cell(pages), number_cell(record.copies),
        share_cell(pages == 0 ? 0 : static_cast<double>(record.copies) / static_cast<double>(pages)),
        number_cell(record.requests), number_cell(skipped_of(record)), number_cell(refused_of(record)),
        number_cell(failed_of(record)), number_cell(record.queued), record.received_bytes,
        bytes_text(record.received_bytes));
  }
  return out + "</tbody></table></div>\n" +
         cut_note(report.hosts.size(), report.hosts_total, "hosts", ", those with the most pages.") + "</section>\n";
}

// The origins whose answer to a probe matters, and whether their pages could be told from it.
std::string probes_section(const CrawlReport& report) {
  if (report.probes.empty()) return {};
  std::string out =
      "<section id=\"missing\"><h2>Sites that do not answer &ldquo;not found&rdquo;</h2>\n<p>Asked for an address that "
      "does not "
      "exist, these did not answer with an error. Pages like the answer are counted above as soft-404.</p>\n"
      "<div class=\"scroll\"><table><thead><tr><th class=\"sort\">Site</th><th class=\"sort\">Answer</th>"
      "<th class=\"sort\">Its pages</th></tr></thead><tbody>\n";
  for (const auto& [origin, record] : report.probes) {
    const std::string_view pages =
        record.standing == ProbeStanding::kDiffers ? "differ from it; those like it are soft 404s"
        : record.standing == ProbeStanding::kAlike ? "are all answered alike, so none is called a soft 404"
                                                   : "are too few to tell";
    const bool is_redirect = record.answer == ProbeAnswer::kRedirect;
    out += fmt::format("<tr><td class=\"page\"><bdi>{}</bdi></td><td>{}{}</td><td>{}</td></tr>\n", url_html(origin),
                       is_redirect ? "redirect to " : "a page",
                       is_redirect ? "<bdi class=\"url\">" + url_html(record.redirect_target) + "</bdi>" : "", pages);
  }
  return out + "</tbody></table></div>\n" + cut_note(report.probes.size(), report.probes_total, "sites", ".") +
         "</section>\n";
}

// One entry per verdict that occurred, with the colour that other reports use for it.
std::string verdict_counts(const ClusterRecord& record) {
  std::string out;
  for (const auto& [verdict, count] : record.verdicts) {
    out += fmt::format("{}<span class=\"verdict\"><i class=\"dot {}\"></i>{} {}</span>", out.empty() ? "" : " &ensp; ",
                       verdict_name(verdict), count_text(count), verdict_name(verdict));
  }
  return out;
}

// The examples are stored one per line, each with its line end.
std::string examples_list(const ClusterRecord& record) {
  std::string out;
  std::string_view left = record.examples;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\n'), left.size() - 1);
    out += fmt::format("<bdi class=\"url\">{}</bdi>", url_html(left.substr(0, end)));
    left.remove_prefix(end + 1);
  }
  return out;
}

std::string clusters_section(const CrawlReport& report) {
  std::string out = "<section id=\"clusters\"><h2>Pages with the most copies</h2>\n";
  if (report.clusters.empty()) return out + "<p>No page was a copy of another one.</p></section>\n";
  out +=
      "<div class=\"scroll\"><table><thead><tr><th class=\"number sort\">Copies</th><th>Page, and its first copies</th>"
      "<th>Copies are</th><th class=\"number sort\">Links followed of</th></tr></thead><tbody>\n";
  for (const CrawlReportCluster& cluster : report.clusters) {
    out +=
        fmt::format("<tr>{}<td class=\"page\"><bdi class=\"title\">{}</bdi>{}</td><td class=\"small\">{}</td>{}</tr>\n",
                    number_cell(cluster.record.copies), url_html(cluster.url), examples_list(cluster.record),
                    verdict_counts(cluster.record), number_cell(cluster.record.expanded));
  }
  return out + "</tbody></table></div>\n" +
         cut_note(report.clusters.size(), report.clusters_total, "pages with copies", ", those with the most copies.") +
         "</section>\n";
}

std::string setting(std::string_view name, std::string_view value) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html_text(value));
}

// Only the settings that influence what the report shows; summary.json has all of them.
std::string settings_section(const CrawlOptions& options) {
  std::string out = "<section id=\"settings\"><h2>Settings</h2>\n<dl class=\"keys\">\n";
  out += setting("maximum links from a seed", std::to_string(options.depth));
  out += setting("scope", option_text(crawl_option_rows(), "scope", options));
  out += setting("delay per host", fmt::format("{:g} s", options.delay));
  if (options.pages_per_hour > 0)
    out += setting("pages per host and hour", fmt::format("{:g}", options.pages_per_hour));
  out += setting("user agent", options.user_agent);
  out += setting("copies in the archive", option_text(crawl_option_rows(), "copies", options));
  out += setting("copies of a page whose links are followed", std::to_string(options.copy_links));
  out += setting("consecutive pages of one URL shape without new text", std::to_string(options.barren_limit));
  out += setting("resemblance of near copies", fmt::format("{:g}", options.match.near));
  return out + "</dl></section>\n";
}

}  // namespace

std::string crawl_report_html(const CrawlReport& report, const CrawlOptions& options) {
  PageFrame frame;
  frame.title = "Crawl" + (report.seeds.empty() ? "" : " of " + report.seeds.front());
  frame.name = "Crawl report";
  frame.links = {{"Left out", "#reasons", ""},
                 {"Hosts", "#hosts", ""},
                 {"Copies", "#clusters", ""},
                 {"Settings", "#settings", ""}};
  frame.script = PageScript::kTables;
  return page_begin(frame) + "<main>\n" + head_section(report) + reasons_section(report) + probes_section(report) +
         hosts_section(report) + clusters_section(report) + settings_section(options) + "</main>\n" + page_end(frame);
}

// Each file is replaced atomically, so a reader never sees half of one.
Status write_crawl_report(const std::string& folder, const CrawlReport& report, const CrawlOptions& options) {
  PARAPRINT_TRY(create_folders(folder + "/report"));
  PARAPRINT_TRY(write_file_atomically(folder + "/summary.json", crawl_summary_json(report, options)));
  return write_file_atomically(folder + "/report/index.html", crawl_report_html(report, options));
}

}  // namespace paraprint::inline crawler
