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
#include "view/overview_counts.h"
#include "view/run_store.h"

namespace paraprint::inline explorer {

// What became of a page, in the words of the interface.
enum class PageFate : std::uint8_t { kKept, kSame, kNear, kContained, kOther, kKnown, kLanguage };
inline constexpr std::size_t kPageFates = 7;
std::string_view fate_name(PageFate fate);
PageFate fate_of(const RunStore& store, std::uint32_t page);

// Bars of the histogram of scores.
inline constexpr std::size_t kScoreBars = 50;
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
  const ClusterSizeCounts& cluster_sizes() const { return cluster_sizes_; }
  // Stored pairs by resemblance, and by verdict in the order of Verdict.
  const std::array<std::array<std::uint64_t, 6>, kScoreBars>& scores() const { return scores_; }
  const std::map<std::string, KeptAndRemoved>& languages() const { return languages_; }
  const PeriodCounts& periods() const { return periods_; }
  // Of removed pages and the pages kept in their place.
  const HostMatrix& matrix() const { return matrix_; }
  // The largest clusters, by the page kept.
  const std::vector<std::uint32_t>& largest_clusters() const { return largest_clusters_; }

 private:
  explicit RunFigures(const RunStore& store);
  Status count_pages();
  Status count_clusters();

  const RunStore& store_;
  std::vector<HostRow> hosts_;
  SpillArray<std::uint32_t> host_of_page_;
  PageGroups clusters_;
  std::array<std::uint64_t, kPageFates> fates_{};
  ClusterSizeCounts cluster_sizes_{};
  std::array<std::array<std::uint64_t, 6>, kScoreBars> scores_{};
  std::map<std::string, KeptAndRemoved> languages_;
  PeriodCounts periods_;
  HostMatrix matrix_;
  std::vector<std::uint32_t> largest_clusters_;
};

}  // namespace paraprint::inline explorer
