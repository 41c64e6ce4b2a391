// The part of the HTML report that is active during the run. Bounded heaps hold the items to be shown; totals count
// everything. All orders are total (ties are broken by number, id or name), so the report does not depend on the order
// in which a run delivers its results.
#include <algorithm>
#include <tuple>
#include <utility>

#include "http/url_host.h"
#include "report/html_report.h"
#include "report/verdict_text.h"

namespace paraprint::inline report {
namespace {

// Order of the report: larger clusters first, then the smaller number. As the "less" of a heap it puts the last shown
// cluster on top, which is the next to be replaced.
bool is_shown_before(const ReportCluster& x, const ReportCluster& y) {
  return std::tuple(y.size, x.number) < std::tuple(x.size, y.number);
}

// Most matched characters first: the pairs with most in common that were nevertheless not clustered.
bool is_pair_shown_before(const ReportPair& x, const ReportPair& y) {
  return std::tie(y.match.matched_characters, x.a.id, x.b.id) < std::tie(x.match.matched_characters, y.a.id, y.b.id);
}

bool is_host_shown_before(const ReportHost& x, const ReportHost& y) {
  return std::tie(y.removed, y.pages, x.host) < std::tie(x.removed, x.pages, y.host);
}

}  // namespace

std::uint64_t ReportTotals::removed() const {
  std::uint64_t sum = 0;
  for (const auto& [verdict, count] : removed_by) sum += count;
  return sum;
}

// A tolerant split rather than a URL parser: URLs in archives may be malformed, and a host with its oddities is more
// useful in a table than an error.
std::string host_of_url(std::string_view url) {
  std::string host = url_host(url);
  return host.empty() ? "(no host)" : host;
}

void ReportCollector::add_kept_page(std::string_view url, std::string_view language, bool is_empty) {
  ++totals_.pages;
  ++totals_.kept;
  if (is_empty) ++totals_.empty;
  ++hosts_[host_of_url(url)].pages;
  ++totals_.languages[std::string(language)].pages;
}

void ReportCollector::add_removed_page(std::string_view url, std::string_view language, std::string_view reason) {
  ++totals_.pages;
  ++totals_.removed_by[std::string(reason)];
  ReportHost& host = hosts_[host_of_url(url)];
  ++host.pages;
  ++host.removed;
  ReportLanguage& of_language = totals_.languages[std::string(language)];
  ++of_language.pages;
  ++of_language.removed;
}

void ReportCollector::add_cluster_size(std::uint64_t size) {
  // Single pages appear in the size histogram, but are not counted as clusters.
  if (size >= 2) ++totals_.clusters;
  ++totals_.clusters_by_size[size];
}

bool ReportCollector::wants_cluster(std::uint64_t size, std::uint64_t number) const {
  if (size < 2 || limits_.clusters == 0) return false;
  if (clusters_.size() < limits_.clusters) return true;
  // Compares size and number only, so an empty cluster with both will do.
  ReportCluster probe;
  probe.size = size;
  probe.number = number;
  return is_shown_before(probe, clusters_.front());
}

void ReportCollector::add_cluster(ReportCluster cluster) {
  add_cluster_size(cluster.size);
  // The caller may have asked before building the cluster, but need not have.
  if (!wants_cluster(cluster.size, cluster.number)) return;
  clusters_.push_back(std::move(cluster));
  std::push_heap(clusters_.begin(), clusters_.end(), is_shown_before);
  // One above the limit for a moment: the smallest of all, possibly the new one, is dropped.
  if (clusters_.size() > limits_.clusters) {
    std::pop_heap(clusters_.begin(), clusters_.end(), is_shown_before);
    clusters_.pop_back();
  }
}

bool ReportCollector::wants_pair(const Match& match) const {
  if (limits_.other_pairs == 0) return false;
  // Pairs of equal weight are wanted, too; add_pair() decides by their ids.
  return other_pairs_.size() < limits_.other_pairs ||
         match.matched_characters >= other_pairs_.front().match.matched_characters;
}

void ReportCollector::add_pair(ReportPair pair) {
  if (!wants_pair(pair.match)) return;
  other_pairs_.push_back(std::move(pair));
  std::push_heap(other_pairs_.begin(), other_pairs_.end(), is_pair_shown_before);
  if (other_pairs_.size() > limits_.other_pairs) {
    std::pop_heap(other_pairs_.begin(), other_pairs_.end(), is_pair_shown_before);
    other_pairs_.pop_back();
  }
}

ReportInput ReportCollector::take() {
  ReportInput input;
  input.limits = limits_;
  input.totals = std::exchange(totals_, {});
  input.clusters = std::exchange(clusters_, {});
  std::sort(input.clusters.begin(), input.clusters.end(), is_shown_before);
  input.other_pairs = std::exchange(other_pairs_, {});
  std::sort(input.other_pairs.begin(), input.other_pairs.end(), is_pair_shown_before);
  // Hosts are counted before they are limited, so that the page can state how many there are.
  input.hosts_total = hosts_.size();
  for (auto& [name, host] : hosts_) {
    host.host = name;
    input.hosts.push_back(std::move(host));
  }
  hosts_.clear();
  std::sort(input.hosts.begin(), input.hosts.end(), is_host_shown_before);
  if (input.hosts.size() > limits_.hosts) input.hosts.resize(limits_.hosts);
  return input;
}

}  // namespace paraprint::inline report
