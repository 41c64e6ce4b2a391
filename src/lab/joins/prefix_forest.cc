// Trees are sorted arrays: no nodes, no pointers, and the search widens a range around the query's own leaf. All
// prefixes it needs come from prefix_with_last, so no label is read while searching.
#include "lab/joins/prefix_forest.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "lab/joins/set_collection.h"

namespace paraprint::inline lab::inline joins {
namespace {

using Signatures = std::span<const std::span<const std::uint64_t>>;

constexpr std::size_t kDepthMaximum = 255;  // prefix lengths are kept in one byte

// The number of leading places in which two labels agree.
std::size_t common_prefix(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

struct Tree {
  std::vector<std::uint32_t> leaves;           // by label; ties by index
  std::vector<std::uint32_t> position_of;      // of each signature in `leaves`
  std::vector<std::uint8_t> prefix_with_last;  // prefix that leaf i shares with leaf i - 1; 0 at both ends

  Tree(Signatures signatures, std::size_t first_place, std::size_t depth)
      : leaves(signatures.size()), position_of(signatures.size()), prefix_with_last(signatures.size() + 1) {
    const auto label = [&](std::uint32_t leaf) { return signatures[leaf].subspan(first_place, depth); };
    std::iota(leaves.begin(), leaves.end(), std::uint32_t{0});
    std::sort(leaves.begin(), leaves.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto [in_a, in_b] = std::ranges::mismatch(label(a), label(b));
      return in_a == label(a).end() ? a < b : *in_a < *in_b;
    });
    for (std::uint32_t position = 0; position < leaves.size(); ++position) {
      position_of[leaves[position]] = position;
      if (position == 0) continue;
      prefix_with_last[position] =
          static_cast<std::uint8_t>(common_prefix(label(leaves[position - 1]), label(leaves[position])));
    }
  }
};

// The leaves of one tree that a search has read: the range [first, last] around the query's own leaf.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  bool is_cut = false;

  std::size_t taken() const { return last - first; }  // not counting the query itself
};

class ForestSearch {
 public:
  ForestSearch(Signatures signatures, const std::vector<Tree>& trees, const PrefixForestOptions& options,
               PrefixForestStatistics& statistics)
      : signatures_(signatures),
        trees_(trees),
        options_(options),
        statistics_(statistics),
        met_by_(signatures.size(), std::numeric_limits<std::uint32_t>::max()),
        stretches_(trees.size()) {}

  // The signatures nearest to `query` among those found, nearest first. Valid until the next call. The prefix is
  // shortened in all trees at the same pace, so that no tree dominates the candidates.
  std::span<const std::uint32_t> nearest(std::uint32_t query) {
    query_ = query;
    met_by_[query] = query;
    found_.clear();
    taken_ = 0;
    std::size_t longest = 0;
    for (std::size_t t = 0; t < trees_.size(); ++t) {
      const std::size_t own = trees_[t].position_of[query];
      stretches_[t] = {own, own, false};
      longest = std::max<std::size_t>({longest, trees_[t].prefix_with_last[own], trees_[t].prefix_with_last[own + 1]});
    }
    // The original stops at c * l leaves, not distinct signatures; `neighbours` distinct ones are enough as well.
    const std::size_t enough = std::size_t{options_.candidates_of_a_tree} * trees_.size();
    for (std::size_t length = longest; length > 0; --length) {
      for (std::size_t t = 0; t < trees_.size(); ++t) widen(trees_[t], length, stretches_[t]);
      if (taken_ >= enough || found_.size() >= options_.neighbours) break;
    }
    statistics_.leaves_read += taken_;
    return ranked();
  }

 private:
  // Extends the range to the leaves that share a prefix of `length`, alternating sides, so that a cut range is centred
  // on the query. The zeros at both ends of prefix_with_last stop it at the ends of the array.
  void widen(const Tree& tree, std::size_t length, Stretch& stretch) {
    while (true) {
      const bool goes_left = tree.prefix_with_last[stretch.first] >= length;
      const bool goes_right = tree.prefix_with_last[stretch.last + 1] >= length;
      if (!goes_left && !goes_right) return;
      if (options_.leaf_cap != 0 && stretch.taken() + 2 > options_.leaf_cap) {
        statistics_.searches_cut += stretch.is_cut ? 0 : 1;
        stretch.is_cut = true;
        return;
      }
      if (goes_left) take(tree.leaves[--stretch.first]);
      if (goes_right) take(tree.leaves[++stretch.last]);
    }
  }

  // The same signature is usually met in several trees: count every leaf, but keep each signature once.
  void take(std::uint32_t leaf) {
    ++taken_;
    if (met_by_[leaf] == query_) return;
    met_by_[leaf] = query_;
    found_.push_back(leaf);
  }

  // Ranks by whole signatures; the prefixes only decided which ones were found. Ties by index keep it deterministic.
  std::span<const std::uint32_t> ranked() {
    statistics_.comparisons += found_.size();
    ranked_.clear();
    for (const std::uint32_t leaf : found_) {
      std::size_t different = 0;
      for (std::size_t i = 0; i < signatures_[leaf].size(); ++i) {
        different += signatures_[leaf][i] != signatures_[query_][i] ? 1 : 0;
      }
      ranked_.emplace_back(different, leaf);
    }
    const std::size_t kept = std::min<std::size_t>(options_.neighbours, ranked_.size());
    std::partial_sort(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(kept), ranked_.end());
    found_.clear();
    for (std::size_t i = 0; i < kept; ++i) found_.push_back(ranked_[i].second);
    return found_;
  }

  Signatures signatures_;
  const std::vector<Tree>& trees_;
  const PrefixForestOptions& options_;
  PrefixForestStatistics& statistics_;
  std::vector<std::uint32_t> met_by_;  // the last query that found each signature; never needs to be cleared
  std::vector<Stretch> stretches_;
  std::vector<std::uint32_t> found_;
  std::vector<std::pair<std::size_t, std::uint32_t>> ranked_;  // places that differ, signature
  std::uint32_t query_ = 0;
  std::size_t taken_ = 0;
};

Status check(Signatures signatures, const PrefixForestOptions& options) {
  if (signatures.size() >= std::numeric_limits<std::uint32_t>::max()) {
    return failure(ErrorCode::kLimitExceeded, "too many signatures for an LSH forest; the limit is 2^32 - 2");
  }
  const std::size_t places = signatures.empty() ? options.trees : signatures.front().size();
  const bool is_sound = options.trees > 0 && places > 0 && places % options.trees == 0 &&
                        places / options.trees <= kDepthMaximum &&
                        std::ranges::all_of(signatures, [&](const auto& one) { return one.size() == places; });
  if (is_sound) return {};
  return failure(ErrorCode::kInvalidArgument,
                 "the signatures of an LSH forest must have equal lengths of 1 to 255 places per tree");
}

}  // namespace

Result<PrefixForestStatistics> join_prefix_forest(Signatures signatures, const PrefixForestOptions& options,
                                                  const NeighbourPairCallback& on_pair,
                                                  const EqualSignaturesCallback& on_equal) {
  PARAPRINT_TRY(check(signatures, options));
  PrefixForestStatistics statistics;
  const std::vector<std::uint32_t> chosen = distinct_sets({signatures}, on_equal);
  std::vector<std::span<const std::uint64_t>> distinct;
  for (const std::uint32_t index : chosen) distinct.push_back(signatures[index]);
  statistics.distinct_signatures = distinct.size();
  if (distinct.empty()) return statistics;

  const std::size_t depth = distinct.front().size() / options.trees;
  std::vector<Tree> trees;
  for (std::size_t tree = 0; tree < options.trees; ++tree) trees.emplace_back(distinct, tree * depth, depth);
  ForestSearch search(distinct, trees, options, statistics);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t query = 0; query < distinct.size(); ++query) {
    for (const std::uint32_t near : search.nearest(query)) {
      pairs.emplace_back(chosen[std::min(query, near)], chosen[std::max(query, near)]);
    }
  }
  // Two signatures can be neighbours of each other: report the pair once.
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  statistics.pairs = pairs.size();
  for (const auto& [i, j] : pairs) on_pair(i, j);
  return statistics;
}

}  // namespace paraprint::inline lab::inline joins
