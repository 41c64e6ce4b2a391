// Reports what a crawl did, for programs (summary.json) and for people (report/index.html).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "crawl/crawl_records.h"
#include "paraprint/crawl.h"
#include "paraprint/result.h"

namespace paraprint::inline crawler {

class CrawlFrontier;

// Maximum numbers of rows in the page; the page says where it is cut.
inline constexpr std::size_t kReportHostsMaximum = 1000;
inline constexpr std::size_t kReportClustersMaximum = 100;

struct CrawlReportHost {
  std::string host;
  HostRecord record;
};

struct CrawlReportCluster {
  std::string url;
  ClusterRecord record;
};

// An origin that answers a request for an address that does not exist as if it did.
struct CrawlReportProbe {
  std::string origin;
  ProbeRecord record;  // without the profile
};

// "error", "page", ... and "undecided", "differ", "alike"; stable.
std::string_view probe_answer_name(ProbeAnswer answer);
std::string_view probe_standing_name(ProbeStanding standing);

struct CrawlReport {
  CrawlOutcome outcome;
  HostRecord totals;
  std::vector<std::string> seeds;
  std::vector<CrawlReportHost> hosts;  // most pages first, then by name; at most kReportHostsMaximum
  std::uint64_t hosts_total = 0;
  std::vector<CrawlReportCluster> clusters;  // most copies first, then by address; at most kReportClustersMaximum
  std::uint64_t clusters_total = 0;
  std::map<ProbeAnswer, std::uint64_t> probe_answers;  // of all origins
  std::vector<CrawlReportProbe> probes;                // by origin; at most kReportHostsMaximum
  std::uint64_t probes_total = 0;
  std::uint64_t links_off_scope = 0;
  std::uint64_t links_unusable = 0;
};

// What the report says of a crawl. Errors: those of reading the state.
Result<CrawlReport> gather_report(CrawlFrontier& frontier, const CrawlOutcome& outcome);

std::string crawl_summary_json(const CrawlReport& report, const CrawlOptions& options);
std::string crawl_report_html(const CrawlReport& report, const CrawlOptions& options);

// Writes both files into `folder`.
Status write_crawl_report(const std::string& folder, const CrawlReport& report, const CrawlOptions& options);

}  // namespace paraprint::inline crawler
