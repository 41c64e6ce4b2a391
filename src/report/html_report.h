// The HTML report of a run: report/index.html and the pages it links to. Self-contained (works from file://, nothing is
// fetched), light and dark, readable on a phone; every text of a page is escaped, and a content security policy allows
// no script but our own.
//
//   index.html               totals, broken records, cluster sizes, largest clusters, hosts, settings
//   clusters/N.html          a shown cluster: kept page, members, verdicts, scores
//   matches.html             every shown match, sortable
//   matches/NNNN.html        a shown match: the two texts side by side
//   hosts.html, broken.html  the long tables
//
// The engine streams a run into a ReportCollector, which keeps what will be shown and totals of the rest: memory is
// bounded by the limits below (and by one row a host), not by the run. Texts are asked for one match at a time when
// written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "paraprint/model.h"
#include "paraprint/result.h"
#include "report/comparison.h"
#include "report/summary.h"

namespace paraprint {

// What the report shows at most. Each cut is stated on the page where it happens.
struct ReportLimits {
  std::size_t clusters = 100;       // the largest ones get a page of their own
  std::size_t members = 500;        // of a cluster, in its table
  std::size_t matches = 200;        // side-by-side pages, shared among the shown clusters and other pairs
  std::size_t other_pairs = 50;     // of `matches`: pairs outside clusters (overlap), most matched characters first
  std::size_t hosts = 2'000;        // rows of hosts.html
  std::size_t hosts_on_index = 15;  // rows on the first page
  std::size_t clusters_on_index = 20;
};

// A page as the tables name it. `page` is the engine's own number, handed back when its text is wanted.
struct ReportPage {
  std::uint32_t page = 0;
  std::string id;
  std::string url;
  std::string title;
  std::string date;
  std::uint32_t content_characters = 0;
};

// A removed page of a cluster; `match` reads "the member is ... the kept page" (its page numbers are ignored).
struct ReportMember {
  ReportPage page;
  Match match;
  std::string reason;  // as in removed.jsonl
};

struct ReportCluster {
  std::uint64_t number = 0;  // as in clusters.tsv
  std::uint64_t size = 0;    // pages, the kept one included; may exceed members.size() + 1 when the engine cut them
  ReportPage kept;
  std::vector<ReportMember> members;  // ascending by id
};

// A verified pair of pages of different clusters; `match` reads "a is ... b".
struct ReportPair {
  ReportPage a;
  ReportPage b;
  Match match;
};

// Pages and removals of one host.
struct ReportHost {
  std::string host;
  std::uint64_t pages = 0;
  std::uint64_t removed = 0;
};

struct ReportTotals {
  std::uint64_t pages = 0;  // read and compared, empty ones included
  std::uint64_t kept = 0;
  std::uint64_t empty = 0;                          // kept without comparison: no text
  std::map<std::string, std::uint64_t> removed_by;  // verdict_name -> pages
  std::uint64_t removed() const;
  std::uint64_t clusters = 0;                               // of two pages and more
  std::map<std::uint64_t, std::uint64_t> clusters_by_size;  // size -> clusters, sizes of 1 included
};

// Everything the report prints, filled by a ReportCollector or by hand.
struct ReportInput {
  std::string title;  // "Duplicates in crawl/": heading of the first page
  Summary summary;    // settings, counters, broken records
  ReportTotals totals;
  std::vector<ReportCluster> clusters;  // largest first, then by number
  std::vector<ReportPair> other_pairs;  // most matched characters first
  std::vector<ReportHost> hosts;        // most removed first, then by name
  std::uint64_t hosts_total = 0;        // hosts in the run, more than hosts.size() when cut
  ReportLimits limits;
  TokenFold fold;  // optional, see Comparison::fold
};

// Takes a run page by page and cluster by cluster, in any order that is the same every time, and keeps the largest. Not
// thread-safe.
class ReportCollector {
 public:
  explicit ReportCollector(const ReportLimits& limits) : limits_(limits) {}

  // Every page of the run, once. `verdict` and the rest describe why it was removed; ignored for kept pages.
  void add_kept_page(std::string_view url, bool is_empty);
  void add_removed_page(std::string_view url, Verdict verdict);

  // Every cluster once, those of one page too, by one of two calls: add_cluster counts it and shows it if it is large
  // enough, add_cluster_size only counts it. For one of a single page, or that wants_cluster declines, the size
  // suffices.
  void add_cluster_size(std::uint64_t size);
  // True if a cluster of this size and number would be shown if the run ended now: lets the engine skip building it.
  bool wants_cluster(std::uint64_t size, std::uint64_t number) const;
  void add_cluster(ReportCluster cluster);

  // As wants_cluster, for pairs between clusters.
  bool wants_pair(const Match& match) const;
  void add_pair(ReportPair pair);

  // What was kept, sorted as ReportInput says; `title`, `summary` and `fold` are left to the caller. Empties the
  // collector.
  ReportInput take();

 private:
  ReportLimits limits_;
  ReportTotals totals_;
  std::map<std::string, ReportHost, std::less<>> hosts_;
  std::vector<ReportCluster> clusters_;  // heap: the smallest on top
  std::vector<ReportPair> other_pairs_;  // heap: the least matched on top
};

// The pairs of page numbers for which texts will be asked, in that order: lets the engine read the pages ahead.
std::vector<std::pair<std::uint32_t, std::uint32_t>> matches_to_show(const ReportInput& input);

// Gives the two texts of a pair with the evidence, page_a as side a. Called once for each shown match, in the order of
// the report; `Comparison::match` and `fold` need not be set. A failure is printed on that match's page and does not
// stop the report, except kCancelled.
using ComparisonSource = std::function<Result<Comparison>(std::uint32_t page_a, std::uint32_t page_b)>;

// Writes the report into `folder` (made if missing). index.html is written last, so that a report with an index is
// whole. Which members of a cluster are compared side by side: the most doubtful (lowest resemblance) first, clusters
Status write_html_report(const std::string& folder, const ReportInput& input, const ComparisonSource& texts);

// "example.org" of "https://user@example.org:8080/x"; "(no host)" when there is none. Lower case.
std::string host_of_url(std::string_view url);

}  // namespace paraprint
