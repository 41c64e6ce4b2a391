// Star clustering over policy ranks. Pages are renumbered by policy first, so from then on "smaller node" means "better
// page": breadth-first growth, the choice of kept pages and the sorted adjacency lists all rely on that order, and none
// of them depends on how the input was numbered. All arrays live on the memory budget; calling tick() once per row lets
// it move data to disk in time.
#include "cluster/clustering.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "base/propagate.h"
#include "base/union_find.h"
#include "base/verdict.h"

namespace paraprint::inline cluster {
namespace {

constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

// A compared pair as seen from one end. The verdict describes the other node: "that node is ... this one".
struct Edge {
  std::uint32_t node = 0;
  Verdict verdict = Verdict::kDistinct;
  float resemblance = 0;
  float containment = 0;      // share of that node that occurs in this one
  float containment_own = 0;  // share of this node that occurs in that one
};

// Ranks the verdicts when a node matches several kept pages. The others are never accepted: in particular not
// kContains, since a page must not be removed in favour of one that holds only part of it.
int strength(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame:
      return 3;
    case Verdict::kNear:
      return 2;
    case Verdict::kContained:
      return 1;
    default:
      return 0;
  }
}

// Nodes are numbered in policy order: node 0 has the most preferred page.
struct Nodes {
  explicit Nodes(MemoryBudget* budget) : of_page(budget), best_page(budget), representative(budget) {}
  SpillArray<std::uint32_t> of_page;         // page -> node
  SpillArray<std::uint32_t> best_page;       // node -> the page to keep
  SpillArray<std::uint32_t> representative;  // node -> the page that represents it in the matches
};

Result<Nodes> number_nodes(std::span<const PageFacts> facts, std::span<const std::uint32_t> representatives,
                           const SurvivorPolicy& policy, MemoryBudget* budget) {
  Nodes nodes(budget);
  PARAPRINT_ASSIGN(const SpillArray<std::uint32_t> ranked, policy.rank(facts, budget));
  SpillArray<std::uint32_t> of_representative(budget);
  Status status = of_representative.assign(facts.size(), kNobody);
  if (status) status = nodes.of_page.assign(facts.size(), kNobody);
  if (!status) return tl::unexpected<Error>(status.error());
  for (const std::uint32_t page : ranked) {
    tick(budget);
    const std::uint32_t representative = representatives.empty() ? page : representatives[page];
    // Pages come in rank order, so the first page seen of a text is its best one and numbers the node; the
    // representative of the text may rank lower.
    std::uint32_t& node = of_representative[representative];
    if (node == kNobody) {
      node = static_cast<std::uint32_t>(nodes.best_page.size());
      status = nodes.best_page.push_back(page);
      if (status) status = nodes.representative.push_back(representative);
      if (!status) return tl::unexpected<Error>(status.error());
    }
    nodes.of_page[page] = node;
  }
  return nodes;
}

// The matches as adjacency lists in ascending node order (compressed sparse rows: two passes, one to count and one to
// fill, instead of one vector per node).
class Graph {
 public:
  static Result<Graph> build(const Nodes& nodes, std::span<const Match> matches, MemoryBudget* budget) {
    Graph graph(budget);
    SpillArray<std::uint64_t> next(budget);
    Status status = graph.begin_.assign(nodes.best_page.size() + 1, 0);
    if (status) status = graph.edges_.resize_for_overwrite(matches.size() * 2);
    if (!status) return tl::unexpected<Error>(status.error());
    for (const Match& match : matches) {
      tick(budget);
      ++graph.begin_[nodes.of_page[match.page_a] + 1];
      ++graph.begin_[nodes.of_page[match.page_b] + 1];
    }
    std::partial_sum(graph.begin_.begin(), graph.begin_.end(), graph.begin_.begin());
    if (status = next.append(graph.begin_); !status) return tl::unexpected<Error>(status.error());
    for (const Match& match : matches) {
      tick(budget);
      const std::uint32_t a = nodes.of_page[match.page_a];
      const std::uint32_t b = nodes.of_page[match.page_b];
      graph.edges_[next[a]++] = {b, reversed(match.verdict), match.resemblance, match.containment_b,
                                 match.containment_a};
      graph.edges_[next[b]++] = {a, match.verdict, match.resemblance, match.containment_a, match.containment_b};
    }
    for (std::uint32_t node = 0; node < nodes.best_page.size(); ++node) {
      tick(budget);
      const std::span<Edge> list = graph.list(node);
      const auto by_node = [](const Edge& left, const Edge& right) { return left.node < right.node; };
      // Callers that cluster the same matches again and again list them in this order.
      if (!std::is_sorted(list.begin(), list.end(), by_node)) std::sort(list.begin(), list.end(), by_node);
      // Duplicates are rejected rather than merged: the two entries could carry different verdicts.
      const auto twice = std::adjacent_find(
          list.begin(), list.end(), [](const Edge& left, const Edge& right) { return left.node == right.node; });
      if (twice != list.end()) {
        return failure(ErrorCode::kInvalidArgument,
                       fmt::format("clustering: duplicate match of pages {} and {}", nodes.representative[node],
                                   nodes.representative[twice->node]));
      }
    }
    return graph;
  }

  std::span<const Edge> of(std::uint32_t node) const {
    tick(edges_.budget());
    return std::span<const Edge>(edges_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }

  // The edge from `node` to `other`, null if the pair was never compared. Binary search.
  const Edge* find(std::uint32_t node, std::uint32_t other) const {
    const std::span<const Edge> list = of(node);
    const auto found = std::lower_bound(list.begin(), list.end(), other,
                                        [](const Edge& edge, std::uint32_t value) { return edge.node < value; });
    return found == list.end() || found->node != other ? nullptr : &*found;
  }

 private:
  explicit Graph(MemoryBudget* budget) : begin_(budget), edges_(budget) {}

  std::span<Edge> list(std::uint32_t node) { return {edges_.data() + begin_[node], edges_.data() + begin_[node + 1]}; }

  SpillArray<std::uint64_t> begin_;
  SpillArray<Edge> edges_;
};

// The cluster a node ended up in: edge.node is the kept node, the other fields describe this node relative to it.
using Placement = Edge;

class StarClusterer {
 public:
  StarClusterer(const Nodes& nodes, const Graph& graph, const ClusteringOptions& options, const PairVerifier& verify,
                Clustering& result)
      : nodes_(nodes),
        graph_(graph),
        options_(options),
        verify_(verify),
        result_(result),
        placements_(options.budget),
        seen_by_(options.budget),
        queue_(options.budget) {}

  Result<SpillArray<Placement>> run() {
    status_ = placements_.assign(nodes_.best_page.size(), Placement{kNobody});
    if (status_) status_ = seen_by_.assign(nodes_.best_page.size(), kNobody);
    if (!status_) return tl::unexpected<Error>(status_.error());
    for (std::uint32_t node = 0; node < placements_.size(); ++node) {
      if (placements_[node].node == kNobody) grow_cluster(node);
      if (!status_) return tl::unexpected<Error>(status_.error());
    }
    for (std::uint32_t node = 0; node < placements_.size(); ++node) move_to_best(node);
    // They were found in the order of growth; matches.tsv lists them by page numbers.
    std::sort(result_.extra_matches.begin(), result_.extra_matches.end(), [](const Match& left, const Match& right) {
      return std::pair(left.page_a, left.page_b) < std::pair(right.page_a, right.page_b);
    });
    return std::move(placements_);
  }

 private:
  // Whether a node with this verdict against the kept page may be removed. Narrower than is_cluster_link(), which has
  // no direction.
  bool is_accepted(Verdict verdict) const {
    return verdict == Verdict::kSame || verdict == Verdict::kNear ||
           (options_.join_contained && verdict == Verdict::kContained);
  }

  // Step 2 for one kept node: breadth first, neighbours in policy order. A rejected node is not expanded, so growth
  // stops at the edge of what really matches the kept page; `seen_by_` keeps a node from being compared twice for one
  // kept page when several members link to it.
  void grow_cluster(std::uint32_t kept) {
    placements_[kept] = {kept, Verdict::kSame, 1, 1, 1};
    seen_by_[kept] = kept;
    queue_.clear();
    status_ = queue_.push_back(kept);
    failed_checks_ = 0;
    for (std::size_t at = 0; at < queue_.size() && status_; ++at) {
      for (const Edge& link : graph_.of(queue_[at])) {
        if (!is_cluster_link(link.verdict, options_) || placements_[link.node].node != kNobody ||
            seen_by_[link.node] == kept)
          continue;
        seen_by_[link.node] = kept;
        const Edge answer = compare_with_kept(kept, link.node);
        if (!is_accepted(answer.verdict)) continue;
        placements_[link.node] = {kept, answer.verdict, answer.resemblance, answer.containment, answer.containment_own};
        if (status_) status_ = queue_.push_back(link.node);
      }
    }
  }

  // The result of comparing `node` with the kept node: from the matches if the pair was compared before (also as
  // kDistinct), otherwise by verify_. Only failures count towards the limit, so a large cluster of true copies is not
  // cut short.
  Edge compare_with_kept(std::uint32_t kept, std::uint32_t node) {
    if (const Edge* known = graph_.find(kept, node)) return *known;
    if (!verify_) return {node};
    if (failed_checks_ >= options_.failed_checks_per_cluster) {
      ++result_.statistics.checks_not_made;
      return {node};
    }
    ++result_.statistics.extra_checks;
    // verify_ takes pages in ascending order; undo the swap in its answer.
    std::uint32_t page_a = nodes_.representative[node];
    std::uint32_t page_b = nodes_.representative[kept];
    const bool swapped = page_a > page_b;
    if (swapped) std::swap(page_a, page_b);
    const Match match = verify_(page_a, page_b);
    const Edge answer{node, swapped ? reversed(match.verdict) : match.verdict, match.resemblance,
                      swapped ? match.containment_b : match.containment_a,
                      swapped ? match.containment_a : match.containment_b};
    if (is_accepted(answer.verdict)) {
      ++result_.statistics.extra_matches;
      if (status_) status_ = result_.extra_matches.push_back(match);
    } else {
      ++failed_checks_;
    }
    return answer;
  }

  // Step 3. Only kept nodes with a smaller number are considered: a page is never removed in favour of one that the
  // policy likes less.
  void move_to_best(std::uint32_t node) {
    Placement& placement = placements_[node];
    if (placement.node == node) return;
    for (const Edge& link : graph_.of(node)) {
      if (link.node > node) break;
      if (placements_[link.node].node != link.node) continue;
      // `link` describes the kept node relative to this one; the kept node's own list has the other direction.
      const Edge& candidate = *graph_.find(link.node, node);
      if (!is_accepted(candidate.verdict)) continue;
      const auto better = std::tuple(strength(candidate.verdict), candidate.resemblance);
      const auto current = std::tuple(strength(placement.verdict), placement.resemblance);
      if (better > current || (better == current && link.node < placement.node)) {
        placement = {link.node, candidate.verdict, candidate.resemblance, candidate.containment,
                     candidate.containment_own};
      }
    }
  }

  const Nodes& nodes_;
  const Graph& graph_;
  const ClusteringOptions& options_;
  const PairVerifier& verify_;
  Clustering& result_;
  SpillArray<Placement> placements_;
  SpillArray<std::uint32_t> seen_by_;  // the kept node that last looked at each node
  SpillArray<std::uint32_t> queue_;
  Status status_;  // first error of the arrays
  std::uint32_t failed_checks_ = 0;
};

// kConnected: a component is named after its smallest node, which is the one that the policy prefers. Members are
// described by their direct match with the kept page; without one, as distinct with a resemblance of 0.
Result<SpillArray<Placement>> connect(const Nodes& nodes, const Graph& graph, const ClusteringOptions& options) {
  SpillArray<std::uint32_t> roots(options.budget);
  SpillArray<Placement> placements(options.budget);
  Status status = roots.resize_for_overwrite(nodes.best_page.size());
  if (status) status = placements.assign(nodes.best_page.size(), Placement{});
  if (!status) return tl::unexpected<Error>(status.error());
  UnionFind<std::uint32_t> components(roots);
  for (std::uint32_t node = 0; node < roots.size(); ++node) {
    for (const Edge& link : graph.of(node)) {
      if (is_cluster_link(link.verdict, options)) components.join(node, link.node);
    }
  }
  components.flatten();
  for (std::uint32_t node = 0; node < roots.size(); ++node) {
    tick(options.budget);
    const std::uint32_t kept = roots[node];
    if (kept == node) {
      placements[node] = {node, Verdict::kSame, 1, 1, 1};
    } else if (const Edge* direct = graph.find(kept, node)) {
      placements[node] = {kept, direct->verdict, direct->resemblance, direct->containment, direct->containment_own};
    } else {
      placements[node] = {kept, Verdict::kDistinct, 0, 0, 0};
    }
  }
  return placements;
}

// All checks that need no graph; Graph::build() finds duplicate pairs. Matches between pages that are represented by
// others would silently attach to the wrong node, so they are rejected.
Status check_input(std::size_t pages, std::span<const std::uint32_t> representatives, std::span<const Match> matches) {
  if (!representatives.empty() && representatives.size() != pages) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("clustering: {} representatives given for {} pages", representatives.size(), pages));
  }
  for (const std::uint32_t page : representatives) {
    if (page >= pages || representatives[page] != page) {
      return failure(ErrorCode::kInvalidArgument, fmt::format("clustering: page {} does not represent itself", page));
    }
  }
  for (const Match& match : matches) {
    if (match.page_a >= match.page_b || match.page_b >= pages) {
      return failure(ErrorCode::kInvalidArgument, fmt::format("clustering: invalid match of pages {} and {} among {}",
                                                              match.page_a, match.page_b, pages));
    }
    if (representatives.empty()) continue;
    for (const std::uint32_t page : {match.page_a, match.page_b}) {
      if (representatives[page] == page) continue;
      return failure(
          ErrorCode::kInvalidArgument,
          fmt::format("clustering: match of page {}, which is represented by page {}", page, representatives[page]));
    }
  }
  return {};
}

// Expands the placements of nodes to all pages and fills in the counts.
Status describe_pages(const Nodes& nodes, std::span<const Placement> placements, MemoryBudget* budget,
                      Clustering& result) {
  SpillArray<std::uint32_t> cluster_pages(budget);
  Status status = cluster_pages.assign(nodes.best_page.size(), 0);
  if (status) status = result.pages.assign(nodes.of_page.size(), PageCluster{});
  if (!status) return status;
  for (std::uint32_t page = 0; page < result.pages.size(); ++page) {
    tick(budget);
    const std::uint32_t node = nodes.of_page[page];
    const Placement& placement = placements[node];
    PageCluster& cluster = result.pages[page];
    cluster.kept_page = nodes.best_page[placement.node];
    cluster.verdict = placement.verdict;
    cluster.resemblance = placement.resemblance;
    cluster.containment = placement.containment;
    cluster.containment_kept = placement.containment_own;
    // The scores belong to the two representatives. If either is not the page itself, say so in the output.
    cluster.via_same_text = placement.node != node && (nodes.representative[node] != page ||
                                                       nodes.representative[placement.node] != cluster.kept_page);
    ++cluster_pages[placement.node];
    if (cluster.kept_page != page) ++result.statistics.pages_removed;
  }
  result.statistics.pages = result.pages.size();
  result.statistics.nodes = nodes.best_page.size();
  for (const std::uint32_t size : cluster_pages) {
    if (size > 1) ++result.statistics.clusters;
    result.statistics.largest_cluster = std::max<std::uint64_t>(result.statistics.largest_cluster, size);
  }
  return {};
}

}  // namespace

// Containment links both ways even though only kContained removes a page: links only decide which pages get compared
// with the kept page.
bool is_cluster_link(Verdict verdict, const ClusteringOptions& options) {
  const bool is_copy = verdict == Verdict::kSame || verdict == Verdict::kNear;
  const bool is_part = verdict == Verdict::kContained || verdict == Verdict::kContains;
  return is_copy || (options.join_contained && is_part);
}

Result<Clustering> cluster_pages(std::span<const PageFacts> facts, std::span<const std::uint32_t> representatives,
                                 std::span<const Match> matches, const SurvivorPolicy& policy,
                                 const ClusteringOptions& options, const PairVerifier& verify) {
  PARAPRINT_TRY(check_input(facts.size(), representatives, matches));
  PARAPRINT_ASSIGN(const Nodes nodes, number_nodes(facts, representatives, policy, options.budget));
  PARAPRINT_ASSIGN(const Graph graph, Graph::build(nodes, matches, options.budget));
  Clustering result(options.budget);
  PARAPRINT_ASSIGN(const SpillArray<Placement> placements,
                   options.mode == ClusterMode::kConnected
                       ? connect(nodes, graph, options)
                       : StarClusterer(nodes, graph, options, verify, result).run());
  PARAPRINT_TRY(describe_pages(nodes, placements, options.budget, result));
  return result;
}

}  // namespace paraprint::inline cluster
