// The sweep against clustering the whole run at each threshold, which is what recluster does.
#include "view/threshold_sweep.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "engine/pair_scorer.h"
#include "view/finished_run.h"

namespace paraprint {
namespace {

// As pipeline.cc decides: all pairs under the threshold, then all pages at once.
Clustering cluster_whole_run(const RunStore& store, double near) {
  MatchOptions options = store.options().match;
  options.near = near;
  SpillArray<Match> matches;
  for (const Match& match : store.matched().scored.matches) EXPECT_TRUE(matches.push_back(match));
  apply_thresholds(options, matches);
  std::vector<PageFacts> facts;
  for (std::uint32_t page = 0; page < store.pages().size(); ++page) facts.push_back(page_facts(store.pages(), page));
  PairScorer scorer(*store.read().log, store.pages(), store.matched().basis.boilerplate, options);
  const SpillArray<std::uint32_t>& representatives = store.matched().scored.representatives;
  Result<Clustering> clustering =
      cluster_pages(facts, {representatives.begin(), representatives.end()}, {matches.begin(), matches.end()},
                    store.decisions().policy, clustering_options(store.options().survivors, nullptr),
                    [&](std::uint32_t a, std::uint32_t b) { return *scorer.score(a, b); });
  EXPECT_TRUE(clustering);
  return std::move(*clustering);
}

// Every third page is in the cluster that it has in the whole run.
void expect_same_clusters(const SliderSweep& sweep, const RunStore& store, double threshold, const Clustering& whole,
                          std::map<std::uint32_t, std::uint32_t>& sizes) {
  for (std::uint32_t page = 0; page < store.pages().size(); page += 3) {
    const auto cluster = sweep.cluster_of(page, threshold);
    ASSERT_TRUE(cluster);
    ASSERT_EQ(cluster->pages.size(), sizes[whole.pages[page].kept_page]);
    for (std::size_t i = 0; i < cluster->pages.size(); ++i) {
      const PageCluster& expected = whole.pages[cluster->pages[i]];
      EXPECT_EQ(cluster->rows[i].kept_page, expected.kept_page);
      EXPECT_EQ(cluster->rows[i].verdict, expected.verdict);
      EXPECT_EQ(cluster->rows[i].resemblance, expected.resemblance);
    }
  }
}

void expect_counts(const ThresholdOutcome& outcome, const RunStore& store, const Clustering& whole,
                   const std::map<std::uint32_t, std::uint32_t>& sizes) {
  EXPECT_EQ(store.pages().size() - outcome.pages_kept, whole.statistics.pages_removed);
  EXPECT_EQ(outcome.clusters, whole.statistics.clusters);
  std::vector<ClusterHead> largest;
  for (const auto& [kept, size] : sizes) {
    if (size > 1) largest.push_back({size, kept});
  }
  std::sort(largest.begin(), largest.end());
  largest.resize(std::min(largest.size(), kLargestClustersShown));
  ASSERT_EQ(outcome.largest.size(), largest.size());
  for (std::size_t i = 0; i < largest.size(); ++i) {
    EXPECT_EQ(outcome.largest[i].pages, largest[i].pages);
    EXPECT_EQ(outcome.largest[i].kept_page, largest[i].kept_page);
  }
}

void expect_same(const RunStore& store) {
  const auto sweep = SliderSweep::create(store);
  ASSERT_TRUE(sweep);
  const std::vector<double> thresholds = slider_thresholds(store.options().match.near);
  const RunControl silent;
  ProgressReporter progress(silent);
  const auto outcomes = (*sweep)->run(thresholds, progress);
  ASSERT_TRUE(outcomes);
  ASSERT_EQ(outcomes->size(), thresholds.size());
  std::uint64_t different = 0;
  for (std::size_t at = 0; at < thresholds.size(); ++at) {
    const ThresholdOutcome& outcome = (*outcomes)[at];
    const Clustering whole = cluster_whole_run(store, thresholds[at]);
    SCOPED_TRACE(thresholds[at]);
    EXPECT_EQ(outcome.near, thresholds[at]);
    std::map<std::uint32_t, std::uint32_t> sizes;
    for (const PageCluster& page : whole.pages) ++sizes[page.kept_page];
    expect_counts(outcome, store, whole, sizes);
    if (at > 0 && outcome.pages_kept != (*outcomes)[at - 1].pages_kept) ++different;
    if (at % 7 != 0) continue;
    expect_same_clusters(**sweep, store, thresholds[at], whole, sizes);
  }
  EXPECT_GT(different, 5U);  // or the pages would test nothing
}

TEST(ThresholdSweepTest, HasTheClustersOfTheWholeRun) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const FinishedRun run(seed, 16);
    expect_same(*run.load());
  }
}

TEST(ThresholdSweepTest, FollowsTheOptionsOfClustering) {
  SurvivorOptions survivors;
  survivors.remove_contained = true;
  survivors.keep = "shortest";
  const FinishedRun contained(4, 16, survivors);
  expect_same(*contained.load());
  survivors = {};
  survivors.clusters = ClusterMode::kConnected;
  const FinishedRun connected(5, 16, survivors);
  expect_same(*connected.load());
}

TEST(ThresholdSweepTest, SortsPairsByScore) {
  const FinishedRun run(6);
  const auto store = run.load();
  const auto sweep = SliderSweep::create(*store);
  ASSERT_TRUE(sweep);
  const SpillArray<Match>& matches = store->matched().scored.matches;
  ASSERT_EQ((*sweep)->pairs_by_score().size(), matches.size());
  EXPECT_TRUE(std::is_sorted(
      (*sweep)->pairs_by_score().begin(), (*sweep)->pairs_by_score().end(),
      [&](std::uint32_t x, std::uint32_t y) { return matches[x].resemblance < matches[y].resemblance; }));
}

TEST(ThresholdSweepTest, HasHundredthsAndTheThresholdOfTheRun) {
  EXPECT_EQ(slider_thresholds(0.55).size(), 71U);
  EXPECT_EQ(slider_thresholds(0.55).front(), 0.3);
  EXPECT_EQ(slider_thresholds(0.55).back(), 1);
  const std::vector<double> between = slider_thresholds(0.985);
  EXPECT_EQ(between.size(), 72U);
  EXPECT_TRUE(std::is_sorted(between.begin(), between.end()));
  EXPECT_EQ(std::count(between.begin(), between.end(), 0.985), 1);
  EXPECT_EQ(slider_thresholds(0.05).front(), 0.05);
  EXPECT_THAT(slider_thresholds(1).back(), 1);
}

}  // namespace
}  // namespace paraprint
