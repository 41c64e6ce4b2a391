// Counts that an overview shows, of a run or of an index: pages over time, hosts that copy each other, cluster sizes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/json_writer.h"

namespace paraprint::inline explorer {

struct HostRow {
  std::string name;  // empty: pages without a host
  std::uint64_t pages = 0;
  std::uint64_t removed = 0;
};

struct KeptAndRemoved {
  std::uint64_t kept = 0;
  std::uint64_t removed = 0;
  void add(bool is_kept) { is_kept ? ++kept : ++removed; }
};

// Upper ends of the classes of cluster sizes; the last one has no end.
inline constexpr std::array<std::uint32_t, 9> kClusterSizeEnds = {2, 3, 4, 5, 9, 19, 49, 99, 999};
using ClusterSizeCounts = std::array<std::uint64_t, kClusterSizeEnds.size() + 1>;
// `pages` is at least 2.
void count_cluster(std::uint32_t pages, ClusterSizeCounts& sizes);

// Hosts in the matrix.
inline constexpr std::size_t kMatrixHosts = 12;
struct HostMatrix {
  std::vector<std::uint32_t> hosts;   // those with the most copies, on either side
  std::vector<std::uint64_t> copies;  // of host i, whose original is on host j: at i * hosts.size() + j
};
// `for_each_copy` calls its argument with the host of each copy and the host of its original; it is called twice.
using CopyVisitor = std::function<void(std::uint32_t copy, std::uint32_t original)>;
HostMatrix count_host_matrix(const std::vector<HostRow>& hosts,
                             const std::function<void(const CopyVisitor& visit)>& for_each_copy);

struct PeriodCounts {
  // By day, month or year ("2025-08"), whichever gives the most periods that are still few. Without dates: empty.
  std::map<std::string, KeptAndRemoved> periods;
  std::uint64_t pages_without_date = 0;
};
PeriodCounts count_periods(std::uint32_t pages, const std::function<std::string_view(std::uint32_t page)>& date_of,
                           const std::function<bool(std::uint32_t page)>& is_kept);

// Each writes a member of the open object.
void write_counts(std::string_view name, const std::map<std::string, KeptAndRemoved>& counts, JsonWriter& json);
void write_cluster_sizes(const ClusterSizeCounts& sizes, JsonWriter& json);
void write_host_matrix(const std::vector<HostRow>& hosts, const HostMatrix& matrix, JsonWriter& json);

}  // namespace paraprint::inline explorer
