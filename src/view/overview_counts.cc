// Host names and dates come from strangers: dates of another form are counted apart, and names stay plain strings.
#include "view/overview_counts.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace paraprint::inline explorer {
namespace {

// The bars of the time line: more would be thinner than can be seen.
constexpr std::size_t kPeriodsMaximum = 60;
constexpr std::size_t kYearBytes = 4;
constexpr std::size_t kMonthBytes = 7;
constexpr std::size_t kDayBytes = 10;

// The first `size` bytes of a date such as "2025-08-01T06:00:16Z"; empty if it has another form.
std::string_view period_of(std::string_view date, std::size_t size) {
  if (date.size() < size) return {};
  for (std::size_t at = 0; at < size; ++at) {
    const bool is_dash = at == kYearBytes || at == kMonthBytes;
    if (is_dash ? date[at] != '-' : date[at] < '0' || date[at] > '9') return {};
  }
  return date.substr(0, size);
}

template <class Value>
void write_of_hosts(std::string_view name, const HostMatrix& matrix, JsonWriter& json, Value&& value_of) {
  json.key(name);
  json.begin_array();
  for (const std::uint32_t host : matrix.hosts) json.value(value_of(host));
  json.end_array();
}

}  // namespace

void count_cluster(std::uint32_t pages, ClusterSizeCounts& sizes) {
  const auto* const end = std::lower_bound(kClusterSizeEnds.begin(), kClusterSizeEnds.end(), pages);
  ++sizes[static_cast<std::size_t>(end - kClusterSizeEnds.begin())];
}

// Hosts are ranked by the copies in which they take part, on either side.
HostMatrix count_host_matrix(const std::vector<HostRow>& hosts,
                             const std::function<void(const CopyVisitor& visit)>& for_each_copy) {
  std::vector<std::uint64_t> weight(hosts.size());
  for_each_copy([&](std::uint32_t copy, std::uint32_t original) {
    ++weight[copy];
    if (original != copy) ++weight[original];
  });
  std::vector<std::uint32_t> ranked(hosts.size());
  std::iota(ranked.begin(), ranked.end(), 0U);
  const std::size_t shown = std::min(kMatrixHosts, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(shown), ranked.end(),
                    [&](std::uint32_t left, std::uint32_t right) {
                      return weight[left] != weight[right] ? weight[left] > weight[right]
                                                           : hosts[left].name < hosts[right].name;
                    });
  HostMatrix matrix;
  for (std::size_t i = 0; i < shown && weight[ranked[i]] > 0; ++i) matrix.hosts.push_back(ranked[i]);
  std::unordered_map<std::uint32_t, std::size_t> place;
  for (std::size_t i = 0; i < matrix.hosts.size(); ++i) place[matrix.hosts[i]] = i;
  matrix.copies.assign(matrix.hosts.size() * matrix.hosts.size(), 0);
  for_each_copy([&](std::uint32_t copy, std::uint32_t original) {
    const auto row = place.find(copy);
    const auto column = place.find(original);
    if (row != place.end() && column != place.end()) ++matrix.copies[row->second * place.size() + column->second];
  });
  return matrix;
}

PeriodCounts count_periods(std::uint32_t pages, const std::function<std::string_view(std::uint32_t page)>& date_of,
                           const std::function<bool(std::uint32_t page)>& is_kept) {
  PeriodCounts counted;
  for (const std::size_t size : {kDayBytes, kMonthBytes, kYearBytes}) {
    counted = {};
    for (std::uint32_t page = 0; page < pages; ++page) {
      const std::string_view period = period_of(date_of(page), size);
      if (period.empty()) {
        ++counted.pages_without_date;
        continue;
      }
      counted.periods[std::string(period)].add(is_kept(page));
      if (counted.periods.size() > kPeriodsMaximum && size != kYearBytes) break;
    }
    if (counted.periods.size() <= kPeriodsMaximum) break;
  }
  return counted;
}

void write_counts(std::string_view name, const std::map<std::string, KeptAndRemoved>& counts, JsonWriter& json) {
  json.key(name);
  json.begin_array();
  for (const auto& [label, count] : counts) {
    json.begin_object();
    json.member("name", label);
    json.member("kept", count.kept);
    json.member("removed", count.removed);
    json.end_object();
  }
  json.end_array();
}

void write_cluster_sizes(const ClusterSizeCounts& sizes, JsonWriter& json) {
  json.key("cluster_sizes");
  json.begin_array();
  for (std::size_t at = 0; at <= kClusterSizeEnds.size(); ++at) {
    json.begin_object();
    json.member("from", at == 0 ? kClusterSizeEnds[0] : kClusterSizeEnds[at - 1] + 1);
    json.member("to", at < kClusterSizeEnds.size() ? kClusterSizeEnds[at] : 0);
    json.member("clusters", sizes[at]);
    json.end_object();
  }
  json.end_array();
}

void write_host_matrix(const std::vector<HostRow>& hosts, const HostMatrix& matrix, JsonWriter& json) {
  json.key("hosts");
  json.begin_object();
  json.member("count", hosts.size());
  write_of_hosts("names", matrix, json, [&](std::uint32_t host) { return std::string_view(hosts[host].name); });
  write_of_hosts("pages", matrix, json, [&](std::uint32_t host) { return hosts[host].pages; });
  write_of_hosts("removed", matrix, json, [&](std::uint32_t host) { return hosts[host].removed; });
  json.key("matrix");
  json.begin_array();
  for (const std::uint64_t copies : matrix.copies) json.value(copies);
  json.end_array();
  json.end_object();
}

}  // namespace paraprint::inline explorer
