// Writes summary.json (fields: docs/crawl.md). It has no times and is sorted like the report, so two crawls of the same
// answers give the same bytes.
#include "crawl/crawl_report.h"
#include "options/command_tables.h"
#include "paraprint/engine.h"
#include "report/json_writer.h"
#include "report/verdict_text.h"

namespace paraprint::inline crawler {
namespace {

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
  json.member("follow_rel_nofollow", options.follow_rel_nofollow);
  json.member("barren_limit", options.barren_limit);
  json.member("near_resemblance", Real{options.match.near});
  json.member("containment", Real{options.match.containment});
  json.end_object();
}

}  // namespace

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
  write_settings(json, options);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace paraprint::inline crawler
