// Verified pairs to clusters of copies, without chaining.
//
// "Is a copy of" is not transitive: A-B, B-C, C-D can each be near while A and D share nothing, and joining whatever is
// connected has put 859,092 pages of one template into a cluster of which two were kept. Here each cluster is a star:
// every page in it has itself been matched with the page that is kept.
//
//   1. Pages of equal text are one node; the node's page is the one the policy prefers.
//   2. Nodes are taken in the order of the policy. One that no cluster has taken becomes a kept page and takes every
//      free node that matches it, growing outwards: its own neighbours first, then the neighbours of those it took.
//      A node reached that way, but never compared with the kept page, is compared now by `verify`.
//   3. With all kept pages known, each removed node moves to the best of the kept pages that precede it in the policy
//   and
//      that it was matched with: the strongest verdict, then resemblance, then the policy.
//
// No step looks at page numbers except to find data, so the clusters depend only on the facts and the matches.
// docs/algorithms/clustering.md has the argument and the numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "cluster/survivor.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

enum class ClusterMode : std::uint8_t {
  kStar,       // as above
  kConnected,  // connected components of the matches (union-find): what most tools do, and what chains
};

struct ClusteringOptions {
  ClusterMode mode = ClusterMode::kStar;
  // Also take pages that stand in the kept page as a part of it (verdict kContained). Never the reverse: removing the
  // longer page would lose text.
  bool join_contained = false;
  // Comparisons by `verify` without success that one kept page may cause; bounds the work on template sites.
  std::uint32_t failed_checks_per_cluster = 1000;
  MemoryBudget* budget = nullptr;  // of everything that is kept of pages and matches; null: memory
};

// Whether clusters grow along a match: from a page to its copy and, if parts are taken, to and from its part.
bool is_cluster_link(Verdict verdict, const ClusteringOptions& options);

// What became of one page.
struct PageCluster {
  std::uint32_t kept_page = 0;       // the kept page of its cluster: the cluster's id. The page itself if it is kept.
  Verdict verdict = Verdict::kSame;  // of this page against the kept page: "this page is ... the kept page"
  float resemblance = 1;             // with the kept page; in kConnected mode 0 if they were never compared
  float containment = 1;             // share of this page that stands in the kept page
  float containment_kept = 1;        // share of the kept page that stands in this one
  bool via_same_text = false;        // the match was made with another page of equal text
};

struct ClusteringStatistics {
  std::uint64_t pages = 0;
  std::uint64_t nodes = 0;            // after equal texts are joined
  std::uint64_t clusters = 0;         // of two or more pages
  std::uint64_t largest_cluster = 0;  // pages
  std::uint64_t pages_removed = 0;
  std::uint64_t extra_checks = 0;     // pairs compared by `verify`
  std::uint64_t extra_matches = 0;    // of those, taken
  std::uint64_t checks_not_made = 0;  // over failed_checks_per_cluster
};

struct Clustering {
  explicit Clustering(MemoryBudget* budget = nullptr) : pages(budget), extra_matches(budget) {}
  SpillArray<PageCluster> pages;  // one per page
  SpillArray<Match>
      extra_matches;  // what `verify` found and a cluster used, sorted by (page_a, page_b): for matches.tsv
  ClusteringStatistics statistics;
};

// Compares two pages (page_a < page_b) that no match is known of. Called from the calling thread only; the answer must
// depend on the two pages alone.
using PairVerifier = std::function<Match(std::uint32_t page_a, std::uint32_t page_b)>;

// `facts`: one per page, each with its own `order`. `representatives`: empty, or for each page the page that stands for
// its text in `matches` (CandidateBuilder::same_text_representatives). `matches`: each pair at most once, page_a <
// page_b, between representatives, in any order; pairs compared without success may be in it as kDistinct and are then
// not compared again. `verify` may be empty: pairs not in `matches` then count as distinct.
//
// Errors: kInvalidArgument for page numbers out of range or a pair given twice; those of the budget's disk.
// Memory, on the budget: about 80 bytes a page and 40 a match. Cost: n log n + matches + checks. Runs in the caller's
// thread.
Result<Clustering> cluster_pages(std::span<const PageFacts> facts, std::span<const std::uint32_t> representatives,
                                 std::span<const Match> matches, const SurvivorPolicy& policy,
                                 const ClusteringOptions& options, const PairVerifier& verify);

}  // namespace paraprint
