// Gathers what a crawl did, and writes it as summary.json (fields: docs/crawl.md), which has no times and is sorted
// like the report, so two crawls of the same answers give the same bytes. Hosts are in memory anyway; clusters and
// probes are read from the state one by one, and only some are kept.
#include <algorithm>
#include <array>
#include <utility>

#include "base/propagate.h"
#include "crawl/crawl_frontier.h"
#include "crawl/crawl_report.h"
#include "options/command_tables.h"
#include "paraprint/engine.h"
#include "report/json_writer.h"
#include "report/verdict_text.h"

namespace paraprint::inline crawler {
namespace {

// Sorts `rows` by `precedes` and keeps the first `count`.
template <class Row, class Precedes>
void keep_first(std::vector<Row>& rows, std::size_t count, Precedes precedes) {
  std::sort(rows.begin(), rows.end(), precedes);
  if (rows.size() > count) rows.resize(count);
}

bool has_more_copies(const CrawlReportCluster& a, const CrawlReportCluster& b) {
  return a.record.copies != b.record.copies ? a.record.copies > b.record.copies : a.url < b.url;
}

bool has_more_pages(const CrawlReportHost& a, const CrawlReportHost& b) {
  const std::uint64_t pages_a = a.record.pages();
  const std::uint64_t pages_b = b.record.pages();
  return pages_a != pages_b ? pages_a > pages_b : a.host < b.host;
}

constexpr std::array kProbeAnswers = {ProbeAnswer::kError, ProbeAnswer::kPage, ProbeAnswer::kRedirect,
                                      ProbeAnswer::kOther, ProbeAnswer::kNone, ProbeAnswer::kDisallowed};

// Used for the totals and for each host, so both have the same members.
void write_counts(JsonWriter& json, const HostRecord& record) {
  json.member("requests", record.requests);
  json.member("received_bytes", record.received_bytes);
  json.member("stored", record.stored);
  json.member("copies", record.copies);
  json.member("unchanged", record.unchanged);
  json.member("redirects", record.redirects);
  json.member("sitemaps", record.sitemaps);
  json.member("queued", record.queued);
  json.member("links_of_copies_not_followed", record.links_not_followed);
  json.key("reasons");
  json.begin_object();
  for (const auto& [reason, count] : record.reasons) {
    if (count > 0) json.member(crawl_reason_info(reason).name, count);
  }
  json.end_object();
}

// The settings that shape the crawl. Timeouts and limits for single answers are left out.
void write_settings(JsonWriter& json, const CrawlOptions& options) {
  json.key("settings");
  json.begin_object();
  json.member("depth", options.depth);
  json.member("scope", option_text(crawl_option_rows(), "scope", options));
  json.member("include", options.include);
  json.member("exclude", options.exclude);
  json.member("sitemaps", options.sitemaps);
  json.member("strip_tracking", options.strip_tracking);
  json.member("max_pages", options.max_pages);
  json.member("pages_per_host", options.max_pages_per_host);
  json.member("hosts_per_domain", options.max_hosts_per_domain);
  json.member("user_agent", options.user_agent);
  json.member("delay_seconds", Real{options.delay, 3});
  json.member("pages_per_hour", Real{options.pages_per_hour, 3});
  json.member("connections", options.connections);
  json.member("retries", options.retries);
  json.member("copies", option_text(crawl_option_rows(), "copies", options));
  json.member("copy_links", options.copy_links);
  json.member("noindex", option_text(crawl_option_rows(), "noindex", options));
  json.member("soft_404", option_text(crawl_option_rows(), "soft_404", options));
  json.member("follow_rel_nofollow", options.follow_rel_nofollow);
  json.member("barren_limit", options.barren_limit);
  json.member("near_resemblance", Real{options.match.near});
  json.member("containment", Real{options.match.containment});
  json.end_object();
}

// Every answer is there, also if no origin gave it.
void write_probes(JsonWriter& json, const CrawlReport& report) {
  json.key("probes");
  json.begin_object();
  for (const auto answer : kProbeAnswers) {
    const auto found = report.probe_answers.find(answer);
    json.member(probe_answer_name(answer), found == report.probe_answers.end() ? 0 : found->second);
  }
  json.key("origins");
  json.begin_array();
  for (const auto& [origin, record] : report.probes) {
    json.begin_object();
    json.member("origin", origin);
    json.member("answer", probe_answer_name(record.answer));
    if (!record.redirect_target.empty()) json.member("redirect_target", record.redirect_target);
    json.member("pages", probe_standing_name(record.standing));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

// In the order of the enumerators.
std::string_view probe_answer_name(ProbeAnswer answer) {
  constexpr std::array<std::string_view, 6> kNames = {"error", "page", "redirect", "other", "none", "disallowed"};
  return kNames.at(static_cast<std::size_t>(answer));
}
std::string_view probe_standing_name(ProbeStanding standing) {
  constexpr std::array<std::string_view, 3> kNames = {"undecided", "differ", "alike"};
  return kNames.at(static_cast<std::size_t>(standing));
}

Result<CrawlReport> gather_report(CrawlFrontier& frontier, const CrawlOutcome& outcome) {
  CrawlReport report;
  report.outcome = outcome;
  report.totals = frontier.totals();
  std::string_view seeds = frontier.seeds();
  while (!seeds.empty()) {
    const std::size_t end = seeds.find('\n');
    report.seeds.emplace_back(seeds.substr(0, end));
    seeds.remove_prefix(end + 1);
  }
  report.links_off_scope = frontier.position().links_off_scope;
  report.links_unusable = frontier.position().links_unusable;
  for (const std::unique_ptr<CrawlHost>& host : frontier.hosts()) report.hosts.push_back({host->name, host->record});
  report.hosts_total = report.hosts.size();
  keep_first(report.hosts, kReportHostsMaximum, has_more_pages);
  PARAPRINT_TRY(frontier.state().for_each_cluster([&](std::string_view url, const ClusterRecord& record) -> Status {
    ++report.clusters_total;
    report.clusters.push_back({std::string(url), record});
    // Reduced from time to time, so that memory does not grow with the crawl.
    if (report.clusters.size() >= 10 * kReportClustersMaximum) {
      keep_first(report.clusters, kReportClustersMaximum, has_more_copies);
    }
    return {};
  }));
  keep_first(report.clusters, kReportClustersMaximum, has_more_copies);
  PARAPRINT_TRY(frontier.state().for_each_probe([&](std::string_view origin, const ProbeRecord& record) -> Status {
    ++report.probe_answers[record.answer];
    const bool is_shown = record.answer == ProbeAnswer::kPage || record.answer == ProbeAnswer::kRedirect;
    if (!is_shown || ++report.probes_total > kReportHostsMaximum) return {};
    CrawlReportProbe& row = report.probes.emplace_back(CrawlReportProbe{std::string(origin), record});
    row.record.profile.clear();
    return {};
  }));
  return report;
}

std::string crawl_summary_json(const CrawlReport& report, const CrawlOptions& options) {
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  json.member("version", version());
  json.member("is_complete", report.outcome.is_complete);
  json.member("stopped_by", report.outcome.stopped_by);
  json.member("seeds", report.seeds);
  json.key("totals");
  json.begin_object();
  write_counts(json, report.totals);
  json.member("hosts", report.hosts_total);
  json.member("clusters", report.clusters_total);
  json.member("links_off_scope", report.links_off_scope);
  json.member("links_unusable", report.links_unusable);
  json.end_object();
  json.key("hosts");
  json.begin_array();
  for (const CrawlReportHost& host : report.hosts) {
    json.begin_object();
    json.member("host", host.host);
    write_counts(json, host.record);
    if (host.record.crawl_delay_seconds >= 0)
      json.member("crawl_delay_seconds", Real{host.record.crawl_delay_seconds, 3});
    json.end_object();
  }
  json.end_array();
  json.key("clusters");
  json.begin_array();
  for (const CrawlReportCluster& cluster : report.clusters) {
    json.begin_object();
    json.member("url", cluster.url);
    json.member("copies", cluster.record.copies);
    json.member("copies_whose_links_were_followed", cluster.record.expanded);
    for (const auto& [verdict, count] : cluster.record.verdicts) json.member(verdict_name(verdict), count);
    json.end_object();
  }
  json.end_array();
  write_probes(json, report);
  write_settings(json, options);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace paraprint::inline crawler
