// LSH forest: finds the nearest neighbours of every signature by the longest common prefixes in several trees
// (M. Bawa, T. Condie, P. Ganesan, WWW 2005; docs/algorithms/minhash.md).
//
// A signature of trees * depth places is cut into one label of `depth` places per tree. Signatures whose labels share a
// long prefix agree in many places. Unlike bands, this needs no fixed number of rows: a search starts at the longest
// prefix that matches in any tree and shortens it in all trees together until it has found enough.
//
// A tree is a sorted array of signatures plus the lengths of the prefixes that neighbours have in common: the leaves
// below a node are a contiguous range, which grows as the prefix gets shorter.
//
// Equal signatures are collapsed first: each group is reported once and takes part as one signature.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "paraprint/result.h"

namespace paraprint::inline lab::inline joins {

struct PrefixForestOptions {
  std::uint32_t trees = 10;                // l
  std::uint32_t neighbours = 20;           // m: nearest signatures reported for each signature
  std::uint32_t candidates_of_a_tree = 2;  // c: a search ends after c * l leaves or m distinct signatures
  // Maximum number of leaves that one search reads from one tree, nearest in the order of the tree. Otherwise a crowd
  // that agrees in a prefix would be read in full for each of its members. 0: no limit.
  std::uint32_t leaf_cap = 256;
};

struct PrefixForestStatistics {
  std::uint64_t distinct_signatures = 0;
  std::uint64_t leaves_read = 0;
  std::uint64_t searches_cut = 0;  // (signature, tree) pairs that reached leaf_cap
  std::uint64_t comparisons = 0;   // of whole signatures
  std::uint64_t pairs = 0;
};

using NeighbourPairCallback = std::function<void(std::uint32_t i, std::uint32_t j)>;
using EqualSignaturesCallback = std::function<void(std::span<const std::uint32_t> indices)>;

// First reports the groups of equal signatures (ascending indices), then every pair (i < j, ascending, each once) of
// which one signature is among the `neighbours` nearest found for the other (most equal places; ties by index).
// kInvalidArgument for zero trees, or signatures whose lengths differ or are not a multiple of the number of trees.
// Cost: O(trees * n log n) for the trees, then about c * l leaves per signature. Memory: 9 bytes per tree and
// signature, 8 bytes per reported pair. Runs in the caller's thread. Deterministic.
Result<PrefixForestStatistics> join_prefix_forest(std::span<const std::span<const std::uint64_t>> signatures,
                                                  const PrefixForestOptions& options,
                                                  const NeighbourPairCallback& on_pair,
                                                  const EqualSignaturesCallback& on_equal);

}  // namespace paraprint::inline lab::inline joins
