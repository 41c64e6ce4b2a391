// Turns verified pairs into clusters of copies, without chaining.
//
// "Is a copy of" is not transitive: A-B, B-C and C-D can each be near while A and D share nothing. Taking connected
// components once put 859,092 pages of one template into a cluster of which two were kept. Here each cluster is a star:
// every page in it has itself been matched with the kept page.
//
//   1. Pages with equal text are one node; the node's page is the one the policy prefers.
//   2. Nodes are processed in policy order. A node that is not yet in a cluster becomes a kept page and takes every
//   free
//      node that matches it, growing outwards: its own neighbours first, then the neighbours of the nodes it took. A
//      node reached that way but never compared with the kept page is compared now, by `verify`.
//   3. When all kept pages are known, each removed node moves to the best kept page among those that precede it in
//      policy order and match it: strongest verdict first, then resemblance, then the policy.
//
// Page numbers only address data, so the clusters depend only on the facts and the matches.
// docs/algorithms/clustering.md gives the argument and the measurements.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "cluster/survivor.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint::inline cluster {

struct ClusteringOptions {
  ClusterMode mode = ClusterMode::kStar;  // kConnected: connected components of the matches, as in most tools
  // Also remove pages that are contained in the kept page (verdict kContained). Never the reverse: removing the longer
  // page would lose text.
  bool join_contained = false;
  // Maximum number of failed `verify` comparisons per kept page; bounds the work on template sites.
  std::uint32_t failed_checks_per_cluster = 1000;
  MemoryBudget* budget = nullptr;  // for all per-page and per-match data; null: plain memory
};

// True if clusters grow along a match with this verdict: between copies and, with join_contained, between a page and
// its part in either direction.
bool is_cluster_link(Verdict verdict, const ClusteringOptions& options);

// The cluster of one page.
struct PageCluster {
  std::uint32_t kept_page = 0;       // the kept page of its cluster, which identifies the cluster; itself if kept
  Verdict verdict = Verdict::kSame;  // of this page against the kept page: "this page is ... the kept page"
  float resemblance = 1;             // with the kept page; in kConnected mode 0 if they were never compared
  float containment = 1;             // share of this page that also occurs in the kept page
  float containment_kept = 1;        // share of the kept page that also occurs in this one
  bool via_same_text = false;        // another page with equal text was compared instead of this or the kept page
};

struct ClusteringStatistics {
  std::uint64_t pages = 0;
  std::uint64_t nodes = 0;            // after pages with equal text are merged
  std::uint64_t clusters = 0;         // of two or more pages
  std::uint64_t largest_cluster = 0;  // pages
  std::uint64_t pages_removed = 0;
  std::uint64_t extra_checks = 0;     // pairs compared by `verify`
  std::uint64_t extra_matches = 0;    // of those, accepted
  std::uint64_t checks_not_made = 0;  // skipped because of failed_checks_per_cluster
};

struct Clustering {
  explicit Clustering(MemoryBudget* budget = nullptr) : pages(budget), extra_matches(budget) {}
  SpillArray<PageCluster> pages;    // one per page
  SpillArray<Match> extra_matches;  // found by `verify` and used, sorted by (page_a, page_b); for matches.tsv
  ClusteringStatistics statistics;
};

// Compares two pages (page_a < page_b) for which `matches` has no entry. Called from the calling thread only; the
// result must depend on the two pages alone.
using PairVerifier = std::function<Match(std::uint32_t page_a, std::uint32_t page_b)>;

// `facts`: one per page, each with a different `order`. `representatives`: empty, or for each page the page that
// represents its text in `matches` (CandidateBuilder::take_same_text_representatives). `matches`: pairs of
// representatives with page_a < page_b, each at most once, in any order; pairs already found distinct may be included
// as kDistinct and are then not compared again. `verify` may be empty: pairs not in `matches` then count as distinct.
//
// Errors: kInvalidArgument for page numbers out of range, invalid representatives or a duplicate pair; disk errors of
// the budget. Memory, on the budget: about 80 bytes per page and 40 per match. Cost: n log n + matches + checks. Runs
// in the caller's thread.
Result<Clustering> cluster_pages(std::span<const PageFacts> facts, std::span<const std::uint32_t> representatives,
                                 std::span<const Match> matches, const SurvivorPolicy& policy,
                                 const ClusteringOptions& options, const PairVerifier& verify);

}  // namespace paraprint::inline cluster
