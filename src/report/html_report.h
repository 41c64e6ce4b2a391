// The HTML report of a run: report/index.html and the pages it links to. Self-contained (works from file://, fetches
// nothing), light and dark, readable on a phone. All texts from pages are escaped, and a content security policy
// allows no script but the report's own.
//
//   index.html               totals, broken records, cluster sizes, largest clusters, hosts, settings
//   clusters/N.html          a shown cluster: kept page, members, verdicts, scores; who copied from whom
//   matches.html             every shown match, sortable
//   matches/NNNN.html        a shown match: the two texts side by side
//   hosts.html, broken.html  the long tables
//
// The engine streams a run into a ReportCollector, which keeps the items to be shown and totals of the rest:
// memory is bounded by the limits below (and one row per host), not by the size of the run. Texts are
// requested one match at a time while writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "paraprint/model.h"
#include "paraprint/result.h"
#include "report/comparison.h"
#include "report/copies/cluster_copies.h"
#include "report/summary.h"

namespace paraprint::inline report {

// Maximum sizes of the report's parts. Each page states what it leaves out.
struct ReportLimits {
  std::size_t clusters = 100;       // the largest ones get a page of their own
  std::size_t members = 500;        // rows in a cluster's table
  std::size_t matches = 200;        // side-by-side pages, of shown clusters and other pairs together
  std::size_t other_pairs = 50;     // among `matches`: pairs outside clusters (overlap), most matched characters first
  std::size_t hosts = 2'000;        // rows of hosts.html
  std::size_t hosts_on_index = 15;  // rows on index.html
  std::size_t clusters_on_index = 20;
};

// A page as listed in tables. `page` is the engine's number of the page, passed back to request its text.
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
  std::uint64_t size = 0;    // pages including the kept one; may exceed members.size() + 1 if the engine limited them
  ReportPage kept;
  std::vector<ReportMember> members;                   // ascending by id
  std::optional<ClusterCopies> copies = std::nullopt;  // of a run with provenance.jsonl
};

// A verified pair of pages in different clusters; `match` reads "a is ... b".
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

// The same of one language.
struct ReportLanguage {
  std::uint64_t pages = 0;
  std::uint64_t removed = 0;
};

struct ReportTotals {
  std::uint64_t pages = 0;  // read and compared, including empty ones
  std::uint64_t kept = 0;
  std::uint64_t empty = 0;                          // kept without comparison: no text
  std::map<std::string, std::uint64_t> removed_by;  // verdict_name, or kReasonLanguage -> pages
  std::uint64_t removed() const;
  std::uint64_t clusters = 0;                               // clusters of two or more pages
  std::map<std::uint64_t, std::uint64_t> clusters_by_size;  // size -> clusters, including size 1
  std::map<std::string, ReportLanguage> languages;          // by code: "en", "und"
};

inline const Summary kNoSummary;

// Everything the report prints, filled by a ReportCollector or by hand.
struct ReportInput {
  std::string title;                     // "Duplicates in crawl/": heading of index.html
  const Summary* summary = &kNoSummary;  // settings, counters, broken records; must outlive this
  ReportTotals totals;
  std::vector<ReportCluster> clusters;  // largest first, then by number
  std::vector<ReportPair> other_pairs;  // most matched characters first
  std::vector<ReportHost> hosts;        // most removed first, then by name
  std::uint64_t hosts_total = 0;        // hosts in the run; more than hosts.size() if limited
  ReportLimits limits;
  TokenFold fold;            // optional, see Comparison::fold
  std::string savings_href;  // of savings.html, from index.html; empty if there is none
};

// Receives a run page by page and cluster by cluster, in any order that is the same in every run, and keeps the largest
// clusters. Not thread-safe.
class ReportCollector {
 public:
  explicit ReportCollector(const ReportLimits& limits) : limits_(limits) {}

  // Call one of these once per page of the run. `language` is the code of its language.
  void add_kept_page(std::string_view url, std::string_view language, bool is_empty);
  void add_removed_page(std::string_view url, std::string_view language, std::string_view reason);

  // Call one of these two for every cluster, including those of a single page: add_cluster() counts it and shows it if
  // it is large enough, add_cluster_size() only counts it. The size suffices for clusters of a single page and those
  // that wants_cluster() declines.
  void add_cluster_size(std::uint64_t size);
  // True if a cluster of this size and number would be shown if the run ended now. Lets the engine skip building it.
  bool wants_cluster(std::uint64_t size, std::uint64_t number) const;
  void add_cluster(ReportCluster cluster);

  // The same for pairs between clusters.
  bool wants_pair(const Match& match) const;
  void add_pair(ReportPair pair);

  // Returns the collected data, sorted as ReportInput says, and empties the collector. The
  // caller sets `title`, `summary` and `fold`.
  ReportInput take();

 private:
  ReportLimits limits_;
  ReportTotals totals_;
  std::map<std::string, ReportHost, std::less<>> hosts_;
  std::vector<ReportCluster> clusters_;  // heap with the smallest on top
  std::vector<ReportPair> other_pairs_;  // heap with the least matched on top
};

// The pairs of page numbers whose texts will be requested, in order of request. Lets the engine read the pages ahead.
std::vector<std::pair<std::uint32_t, std::uint32_t>> matches_to_show(const ReportInput& input);

// Returns the two texts of a pair with the evidence, page_a as side a. Called once per shown match, in the order of the
// report; need not set `Comparison::match` and `fold`. A text that is gone (kNotFound) is reported on that match's
// page; every other failure ends the report.
using ComparisonSource = std::function<Result<Comparison>(std::uint32_t page_a, std::uint32_t page_b)>;

// Writes the report into `folder`, which is created if missing. index.html is written last, so a report
// that has one is complete. Clusters take turns in getting side-by-side pages, each with its most
// doubtful members (lowest resemblance) first.
Status write_html_report(const std::string& folder, const ReportInput& input, const ComparisonSource& texts);

// "example.org" for "https://user@example.org:8080/x"; "(no host)" if there is none. Lower case.
std::string host_of_url(std::string_view url);

}  // namespace paraprint::inline report
