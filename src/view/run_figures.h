// What the overview shows of a run as a whole, counted once: cluster sizes, scores, verdicts, hosts that copy each
// other, languages, and pages over time. Also the two tables that lists of pages need: hosts, and members of clusters.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/page_groups.h"
#include "memory/spill_array.h"
#include "paraprint/result.h"
#include "view/run_store.h"

namespace paraprint::inline explorer {

// What became of a page, in the words of the interface.
enum class PageFate : std::uint8_t { kKept, kSame, kNear, kContained, kOther, kKnown, kLanguage };
inline constexpr std::size_t kPageFates = 7;
std::string_view fate_name(PageFate fate);
PageFate fate_of(const RunStore& store, std::uint32_t page);

struct HostRow {
  std::string name;  // empty: pages without a host
  std::uint64_t pages = 0;
  std::uint64_t removed = 0;
};

struct KeptAndRemoved {
  std::uint64_t kept = 0;
  std::uint64_t removed = 0;
};

// Bars of the histogram of scores.
inline constexpr std::size_t kScoreBars = 50;
// Upper ends of the classes of cluster sizes; the last one has no end.
inline constexpr std::array<std::uint32_t, 9> kClusterSizeEnds = {2, 3, 4, 5, 9, 19, 49, 99, 999};
// Hosts in the matrix.
inline constexpr std::size_t kMatrixHosts = 12;

// Threads: any number, after create().
class RunFigures {
 public:
  // `store` is loaded, and must outlive the object. Memory: 16 bytes per page on the budget of the store, and the names
  // of hosts. Errors: those of the budget's disk; kCancelled.
  static Result<std::unique_ptr<RunFigures>> create(const RunStore& store);

  // By number.
  const std::vector<HostRow>& hosts() const { return hosts_; }
  std::uint32_t host_of(std::uint32_t page) const { return host_of_page_[page]; }
  // The pages of the cluster that this page is kept for, by page; only itself for a single page.
  std::span<const std::uint32_t> members(std::uint32_t kept_page) const { return clusters_.of(kept_page); }

  const std::array<std::uint64_t, kPageFates>& fates() const { return fates_; }
  const std::array<std::uint64_t, kClusterSizeEnds.size() + 1>& cluster_sizes() const { return cluster_sizes_; }
  // Stored pairs by resemblance, and by verdict in the order of Verdict.
  const std::array<std::array<std::uint64_t, 6>, kScoreBars>& scores() const { return scores_; }
  const std::map<std::string, KeptAndRemoved>& languages() const { return languages_; }
  // By day, month or year ("2025-08"), whichever gives the most periods that are still few. Without dates: empty.
  const std::map<std::string, KeptAndRemoved>& periods() const { return periods_; }
  std::uint64_t pages_without_date() const { return pages_without_date_; }
  // Numbers of the hosts with the most removed pages and copies kept; and for a removed page's host i and the host j of
  // the page kept in its place, at i * size + j, how many pages.
  const std::vector<std::uint32_t>& matrix_hosts() const { return matrix_hosts_; }
  const std::vector<std::uint64_t>& matrix() const { return matrix_; }
  // The largest clusters, by the page kept.
  const std::vector<std::uint32_t>& largest_clusters() const { return largest_clusters_; }

 private:
  explicit RunFigures(const RunStore& store);
  Status count_pages();
  Status count_clusters();
  void count_periods();
  void fill_matrix();

  const RunStore& store_;
  std::vector<HostRow> hosts_;
  SpillArray<std::uint32_t> host_of_page_;
  PageGroups clusters_;
  std::array<std::uint64_t, kPageFates> fates_{};
  std::array<std::uint64_t, kClusterSizeEnds.size() + 1> cluster_sizes_{};
  std::array<std::array<std::uint64_t, 6>, kScoreBars> scores_{};
  std::map<std::string, KeptAndRemoved> languages_;
  std::map<std::string, KeptAndRemoved> periods_;
  std::uint64_t pages_without_date_ = 0;
  std::vector<std::uint32_t> matrix_hosts_;
  std::vector<std::uint64_t> matrix_;
  std::vector<std::uint32_t> largest_clusters_;
};

}  // namespace paraprint::inline explorer
