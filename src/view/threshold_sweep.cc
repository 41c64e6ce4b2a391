// Components are clustered with page numbers of their own. That changes nothing: clusters depend only on the facts of
// pages, in whose order the survivor policy is total, and on the matches between them.
#include "view/threshold_sweep.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

#include "base/propagate.h"
#include "base/start_thread.h"
#include "base/stop.h"
#include "base/union_find.h"
#include "engine/pair_scorer.h"
#include "verify/paragraph_matching.h"

namespace paraprint::inline explorer {
namespace {

constexpr int kStepsPerUnit = 100;
// Components that one thread takes at a time.
constexpr std::uint32_t kRootsPerPiece = 1024;

// As match_stage.cc decides stored scores, with people's rulings last.
Verdict decided_verdict(const RunStore& store, const MatchOptions& options, Match match) {
  match.verdict = decide_verdict(match.resemblance, match.containment_a, match.containment_b, match.matched_characters,
                                 match.verdict == Verdict::kSame, options);
  store.matched().rulings.decide(match);
  return match.verdict;
}

}  // namespace

std::vector<double> slider_thresholds(double own) {
  std::vector<double> thresholds;
  const int lowest = std::max(1, static_cast<int>(std::floor(std::min(own, kSliderMinimum) * kStepsPerUnit)));
  for (int step = lowest; step <= kStepsPerUnit; ++step) thresholds.push_back(step / double{kStepsPerUnit});
  const auto place = std::lower_bound(thresholds.begin(), thresholds.end(), own - 1e-9);
  if (place != thresholds.end() && std::abs(*place - own) < 1e-9) {
    *place = own;
  } else {
    thresholds.insert(place, own);
  }
  return thresholds;
}

void keep_largest(const ClusterHead& head, std::vector<ClusterHead>& largest) {
  if (largest.size() == kLargestClustersShown) {
    if (!(head < largest.back())) return;
    largest.pop_back();
  }
  largest.insert(std::lower_bound(largest.begin(), largest.end(), head), head);
}

// Of one thread; all of them are added up in the end.
struct SliderSweep::Totals {
  explicit Totals(std::size_t thresholds) : kept(thresholds), clusters(thresholds), largest(thresholds) {}
  std::uint64_t kept_alone = 0;     // pages that survive in components of one page
  std::vector<std::uint64_t> kept;  // in the others, by threshold
  std::vector<std::uint64_t> clusters;
  std::vector<std::vector<ClusterHead>> largest;

  void add(std::size_t threshold, std::uint64_t pages_kept, std::span<const ClusterHead> heads) {
    kept[threshold] += pages_kept;
    clusters[threshold] += heads.size();
    for (const ClusterHead& head : heads) keep_largest(head, largest[threshold]);
  }
  void add(const Totals& other) {
    kept_alone += other.kept_alone;
    for (std::size_t at = 0; at < kept.size(); ++at) {
      kept[at] += other.kept[at];
      clusters[at] += other.clusters[at];
      for (const ClusterHead& head : other.largest[at]) keep_largest(head, largest[at]);
    }
  }
};

// Clusters one component at a time. Pairs that clustering asks for are scored once per component, whatever the number
// of thresholds.
class SliderSweep::ComponentClusterer {
 public:
  explicit ComponentClusterer(const SliderSweep& sweep)
      : store_(sweep.store_),
        options_(store_.options().match),
        scorer_(*store_.read().log, store_.pages(), store_.matched().basis.boilerplate, options_) {}

  // Takes up the pages and pairs of a component. Errors: those of memory.
  Status begin(std::span<const std::uint32_t> pages, std::span<const std::uint32_t> pairs) {
    pages_.assign(pages.begin(), pages.end());
    facts_.clear();
    representatives_.clear();
    matches_.clear();
    verified_.clear();
    const SpillArray<std::uint32_t>& representatives = store_.matched().scored.representatives;
    for (const std::uint32_t page : pages_) {
      facts_.push_back(page_facts(store_.pages(), page));
      representatives_.push_back(number_of(representatives[page]));
    }
    for (const std::uint32_t pair : pairs) {
      Match match = store_.matched().scored.matches[pair];
      match.page_a = number_of(match.page_a);
      match.page_b = number_of(match.page_b);
      matches_.push_back(match);
    }
    return sort_matches();
  }

  // Whether the component would be clustered as by the last call of cluster().
  bool is_like_before(double near) {
    options_.near = near;
    const auto is_unchanged = [this](const Match& match) { return decided(match).verdict == match.verdict; };
    return std::all_of(matches_.begin(), matches_.end(), is_unchanged) &&
           std::all_of(verified_.begin(), verified_.end(), [&](const auto& row) { return is_unchanged(row.second); });
  }

  Result<Clustering> cluster(double near) {
    options_.near = near;
    for (Match& match : matches_) match = decided(match);
    for (auto& [pair, match] : verified_) match = decided(match);
    Status verified;
    const auto verify = [&](std::uint32_t a, std::uint32_t b) -> Match {
      const auto known = verified_.find({a, b});
      if (known != verified_.end()) return known->second;
      Match distinct;
      distinct.page_a = a;
      distinct.page_b = b;
      Result<Match> match = scorer_.score(pages_[a], pages_[b]);
      if (match) {
        match->page_a = a;
        match->page_b = b;
        return verified_[{a, b}] = decided(*match);
      }
      if (verified) verified = tl::unexpected<Error>(match.error());
      return distinct;
    };
    Result<Clustering> clustering = cluster_pages(facts_, representatives_, matches_, store_.decisions().policy,
                                                  clustering_options(store_.options().survivors, nullptr), verify);
    PARAPRINT_TRY(verified);
    return clustering;
  }

  // The pages that survive, and their clusters of two or more pages.
  std::uint64_t count(const Clustering& clustering, std::vector<ClusterHead>& heads) {
    std::vector<std::uint32_t> sizes(pages_.size());
    for (const PageCluster& page : clustering.pages) ++sizes[page.kept_page];
    std::uint64_t kept = 0;
    heads.clear();
    for (std::uint32_t page = 0; page < pages_.size(); ++page) {
      if (sizes[page] == 0) continue;
      kept += is_never_kept(pages_[page]) ? 0 : 1;
      if (sizes[page] > 1) heads.push_back({sizes[page], pages_[page]});
    }
    return kept;
  }

  std::uint32_t page(std::uint32_t number) const { return pages_[number]; }

 private:
  std::uint32_t number_of(std::uint32_t page) const {
    return static_cast<std::uint32_t>(std::lower_bound(pages_.begin(), pages_.end(), page) - pages_.begin());
  }

  // Clustering lists the neighbours of each text in the order of the policy, for each threshold anew. Matches by the
  // later text, then by the earlier one, are in this order on both sides, so that nothing is left to sort.
  Status sort_matches() {
    PARAPRINT_ASSIGN(const SpillArray<std::uint32_t> ranked, store_.decisions().policy.rank(facts_, nullptr));
    ranks_.assign(pages_.size(), UINT32_MAX);
    for (std::uint32_t rank = 0; rank < ranked.size(); ++rank) {
      std::uint32_t& of_text = ranks_[representatives_[ranked[rank]]];
      of_text = std::min(of_text, rank);
    }
    const auto key = [this](const Match& match) {
      const auto [earlier, later] = std::minmax(ranks_[match.page_a], ranks_[match.page_b]);
      return std::pair(later, earlier);
    };
    std::sort(matches_.begin(), matches_.end(),
              [&](const Match& left, const Match& right) { return key(left) < key(right); });
    return {};
  }

  // Known from an earlier crawl, or in another language: removed whatever the threshold.
  bool is_never_kept(std::uint32_t page) const {
    return store_.decisions().known.contains(page) || is_in_other_language(store_.decisions(), page);
  }

  Match decided(Match match) const {
    Match of_run = match;
    of_run.page_a = pages_[match.page_a];
    of_run.page_b = pages_[match.page_b];
    match.verdict = decided_verdict(store_, options_, of_run);
    return match;
  }

  const RunStore& store_;
  MatchOptions options_;
  PairScorer scorer_;
  std::vector<std::uint32_t> pages_;  // ascending
  std::vector<PageFacts> facts_;
  std::vector<std::uint32_t> representatives_;
  std::vector<std::uint32_t> ranks_;  // of each text, by the page that represents it
  std::vector<Match> matches_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Match> verified_;
};

SliderSweep::SliderSweep(const RunStore& store)
    : store_(store),
      roots_(store.pages().budget()),
      groups_(store.pages().budget()),
      pair_groups_(store.pages().budget()),
      pairs_by_score_(store.pages().budget()),
      verdicts_by_score_(store.pages().budget()) {}

Result<std::unique_ptr<SliderSweep>> SliderSweep::create(const RunStore& store) {
  std::unique_ptr<SliderSweep> sweep(new SliderSweep(store));
  PARAPRINT_TRY(sweep->group());
  return sweep;
}

Status SliderSweep::group() {
  const SpillArray<Match>& matches = store_.matched().scored.matches;
  const SpillArray<std::uint32_t>& representatives = store_.matched().scored.representatives;
  const std::uint32_t pages = store_.pages().size();
  PARAPRINT_TRY(roots_.resize_for_overwrite(pages));
  UnionFind<std::uint32_t> components(std::span<std::uint32_t>(roots_.begin(), roots_.end()));
  for (std::uint32_t page = 0; page < pages; ++page) components.join(page, representatives[page]);
  for (const Match& match : matches) components.join(match.page_a, match.page_b);
  components.flatten();
  SpillArray<std::uint32_t> order(store_.pages().budget());
  PARAPRINT_TRY(order.resize_for_overwrite(pages));
  std::iota(order.begin(), order.end(), 0U);
  PARAPRINT_TRY(groups_.build(pages, order, [&](std::uint32_t page) { return roots_[page]; }));
  order.release();
  PARAPRINT_TRY(pairs_by_score_.resize_for_overwrite(matches.size()));
  std::iota(pairs_by_score_.begin(), pairs_by_score_.end(), 0U);
  PARAPRINT_TRY(
      pair_groups_.build(pages, pairs_by_score_, [&](std::uint32_t pair) { return roots_[matches[pair].page_a]; }));
  std::sort(pairs_by_score_.begin(), pairs_by_score_.end(), [&](std::uint32_t left, std::uint32_t right) {
    const float of_left = matches[left].resemblance;
    const float of_right = matches[right].resemblance;
    return of_left != of_right ? of_left < of_right : left < right;
  });
  PARAPRINT_TRY(verdicts_by_score_.resize_for_overwrite(matches.size()));
  std::transform(pairs_by_score_.begin(), pairs_by_score_.end(), verdicts_by_score_.begin(),
                 [&](std::uint32_t pair) { return matches[pair].verdict; });
  return {};
}

// Clusters the components whose roots nobody has taken yet.
Status SliderSweep::sweep_components(std::span<const double> thresholds, std::atomic<std::uint32_t>& next_root,
                                     ProgressReporter* progress, Totals& totals) const {
  const std::uint32_t pages = store_.pages().size();
  ComponentClusterer clusterer(*this);
  std::vector<ClusterHead> heads;
  for (;;) {
    const std::uint32_t begin = next_root.fetch_add(kRootsPerPiece);
    if (begin >= pages) return {};
    PARAPRINT_TRY(check_stop());
    for (std::uint32_t root = begin; root < std::min(pages, begin + kRootsPerPiece); ++root) {
      const std::span<const std::uint32_t> members = pages_of(root);
      if (members.size() < 2) {
        totals.kept_alone += members.size() == 1 && is_kept(store_.decisions(), root) ? 1 : 0;
        continue;
      }
      PARAPRINT_TRY(clusterer.begin(members, pairs_of(root)));
      std::uint64_t kept = 0;
      for (std::size_t at = thresholds.size(); at-- > 0;) {
        if (at + 1 == thresholds.size() || !clusterer.is_like_before(thresholds[at])) {
          PARAPRINT_TRY(check_stop());
          PARAPRINT_ASSIGN(const Clustering clustering, clusterer.cluster(thresholds[at]));
          kept = clusterer.count(clustering, heads);
        }
        totals.add(at, kept, heads);
      }
    }
    if (progress != nullptr) progress->update(std::min(pages, next_root.load()));
  }
}

Result<std::vector<ThresholdOutcome>> SliderSweep::run(std::span<const double> thresholds,
                                                       ProgressReporter& progress) const {
  progress.begin("thresholds", store_.pages().size(), "pages");
  std::atomic<std::uint32_t> next_root{0};
  std::mutex mutex;  // guards the three below
  Totals totals(thresholds.size());
  Status status;
  std::exception_ptr exception;
  const auto work = [&](ProgressReporter* shown) {
    try {
      Totals own(thresholds.size());
      Status worked = sweep_components(thresholds, next_root, shown, own);
      const std::lock_guard lock(mutex);
      totals.add(own);
      if (!worked && status) status = std::move(worked);
    } catch (...) {  // out of memory: rethrown below, when no thread uses what is here any more
      const std::lock_guard lock(mutex);
      if (!exception) exception = std::current_exception();
    }
  };
  std::vector<std::thread> helpers;
  helpers.reserve(store_.setup().threads);
  for (unsigned helper = 1; helper < store_.setup().threads; ++helper) {
    Result<std::thread> started = start_thread("clusters pages", [&, flag = StopScope::current()] {
      const StopScope scope(flag);
      work(nullptr);
    });
    if (!started) break;  // fewer threads give the same result
    helpers.push_back(std::move(*started));
  }
  work(&progress);
  for (std::thread& helper : helpers) helper.join();
  if (exception) std::rethrow_exception(exception);
  PARAPRINT_TRY(status);
  progress.end();
  std::vector<ThresholdOutcome> outcomes;
  for (std::size_t at = 0; at < thresholds.size(); ++at) {
    outcomes.push_back(
        {thresholds[at], totals.kept[at] + totals.kept_alone, totals.clusters[at], std::move(totals.largest[at])});
  }
  return outcomes;
}

// Clusters grow along the pairs that are links at this threshold, so the pages that these connect with the page are
// enough: far fewer than its component has.
Result<ClusterAtThreshold> SliderSweep::cluster_of(std::uint32_t page, double near) const {
  const std::span<const std::uint32_t> component = pages_of(roots_[page]);
  const SpillArray<Match>& matches = store_.matched().scored.matches;
  const SpillArray<std::uint32_t>& representatives = store_.matched().scored.representatives;
  const auto number_of = [&](std::uint32_t member) {
    const auto found = std::lower_bound(component.begin(), component.end(), member);
    return static_cast<std::uint32_t>(found - component.begin());
  };
  MatchOptions options = store_.options().match;
  options.near = near;
  const ClusteringOptions clustering_options = engine::clustering_options(store_.options().survivors, nullptr);
  std::vector<std::uint32_t> parents(component.size());
  UnionFind<std::uint32_t> linked(parents);
  for (std::uint32_t number = 0; number < component.size(); ++number) {
    linked.join(number, number_of(representatives[component[number]]));
  }
  for (const std::uint32_t pair : pairs_of(roots_[page])) {
    const Match& match = matches[pair];
    if (!is_cluster_link(decided_verdict(store_, options, match), clustering_options)) continue;
    linked.join(number_of(match.page_a), number_of(match.page_b));
  }
  linked.flatten();
  const std::uint32_t own = parents[number_of(page)];
  std::vector<std::uint32_t> pages;
  for (std::uint32_t number = 0; number < component.size(); ++number) {
    if (parents[number] == own) pages.push_back(component[number]);
  }
  std::vector<std::uint32_t> pairs;
  for (const std::uint32_t pair : pairs_of(roots_[page])) {
    const bool is_inside =
        parents[number_of(matches[pair].page_a)] == own && parents[number_of(matches[pair].page_b)] == own;
    if (is_inside) pairs.push_back(pair);
  }
  ComponentClusterer clusterer(*this);
  PARAPRINT_TRY(clusterer.begin(pages, pairs));
  PARAPRINT_ASSIGN(const Clustering clustering, clusterer.cluster(near));
  ClusterAtThreshold cluster;
  std::uint32_t kept = 0;
  for (std::uint32_t number = 0; number < clustering.pages.size(); ++number) {
    if (clusterer.page(number) == page) kept = clustering.pages[number].kept_page;
  }
  for (std::uint32_t number = 0; number < clustering.pages.size(); ++number) {
    PageCluster row = clustering.pages[number];
    if (row.kept_page != kept) continue;
    row.kept_page = clusterer.page(kept);
    cluster.pages.push_back(clusterer.page(number));
    cluster.rows.push_back(row);
  }
  return cluster;
}

}  // namespace paraprint::inline explorer
