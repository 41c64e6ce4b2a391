// Gathers the data of the report. Hosts are in memory anyway; clusters are read from the state one by one, and only the
// largest are kept.
#include <algorithm>
#include <utility>

#include "base/propagate.h"
#include "crawl/crawl_frontier.h"
#include "crawl/crawl_report.h"

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

}  // namespace

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
  return report;
}

}  // namespace paraprint::inline crawler
