// What `recluster --near T` would give, for every threshold T of a slider, from the stored scores.
//
// Clusters grow along matches only, so pages that no chain of stored matches connects can be clustered apart: the
// components of the graph of matches. In a component, the result changes only where T passes the score of one of its
// pairs; most components have few of them. So each component is clustered once for each of its results, by the code
// that recluster calls (cluster/clustering.h), and the numbers of all components are added up. Moving the slider then
// looks up a row.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "cluster/page_groups.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "view/run_store.h"

namespace paraprint::inline explorer {

// A cluster by the page that is kept.
struct ClusterHead {
  std::uint32_t pages = 0;
  std::uint32_t kept_page = 0;
  // The largest first; equal ones by page.
  bool operator<(const ClusterHead& other) const {
    return pages != other.pages ? pages > other.pages : kept_page < other.kept_page;
  }
};

struct ThresholdOutcome {
  double near = 0;
  std::uint64_t pages_kept = 0;
  std::uint64_t clusters = 0;  // of two or more pages
  std::vector<ClusterHead> largest;
};

inline constexpr std::size_t kLargestClustersShown = 20;
// Adds `head` to `largest`, which is sorted, if it is one of the kLargestClustersShown largest.
void keep_largest(const ClusterHead& head, std::vector<ClusterHead>& largest);

// The thresholds of the slider: hundredths from `lowest` to 1, and `own`, ascending. `lowest` is kSliderMinimum, or
// less if `own` is.
inline constexpr double kSliderMinimum = 0.3;
std::vector<double> slider_thresholds(double own);

// The members of one cluster at some threshold, by page number, as clustering describes them.
struct ClusterAtThreshold {
  std::vector<std::uint32_t> pages;
  std::vector<PageCluster> rows;  // in the same order; kept_page is a page of the run
};

// Threads: any number, after create().
class SliderSweep {
 public:
  // Groups pages into components. `store` is loaded, and must outlive the object. Memory, on its budget: 16 bytes per
  // page and 9 per stored pair. Errors: those of the budget's disk.
  static Result<std::unique_ptr<SliderSweep>> create(const RunStore& store);

  // The outcome at each threshold, by `setup().threads` threads. The same for any number of threads. Errors: those of
  // reading profiles; kCancelled.
  Result<std::vector<ThresholdOutcome>> run(std::span<const double> thresholds, ProgressReporter& progress) const;

  // The cluster that the page is in at this threshold. Errors: those of reading profiles.
  Result<ClusterAtThreshold> cluster_of(std::uint32_t page, double near) const;

  // Numbers of stored pairs in the order of their scores, lowest first; equal ones by number.
  std::span<const std::uint32_t> pairs_by_score() const { return pairs_by_score_; }
  // Their verdicts in the same order, so that pairs can be counted without looking them up.
  std::span<const Verdict> verdicts_by_score() const { return verdicts_by_score_; }

 private:
  class ComponentClusterer;
  struct Totals;
  explicit SliderSweep(const RunStore& store);
  Status group();
  // `progress`: null for all threads but one.
  Status sweep_components(std::span<const double> thresholds, std::atomic<std::uint32_t>& next_root,
                          ProgressReporter* progress, Totals& totals) const;

  std::span<const std::uint32_t> pages_of(std::uint32_t root) const { return groups_.of(root); }
  std::span<const std::uint32_t> pairs_of(std::uint32_t root) const { return pair_groups_.of(root); }

  const RunStore& store_;
  SpillArray<std::uint32_t> roots_;  // by page: the first page of its component
  PageGroups groups_;                // pages by root
  PageGroups pair_groups_;           // stored pairs by root
  SpillArray<std::uint32_t> pairs_by_score_;
  SpillArray<Verdict> verdicts_by_score_;
};

}  // namespace paraprint::inline explorer
