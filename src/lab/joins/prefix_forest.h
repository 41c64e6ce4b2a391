// LSH forest: for every signature its nearest ones, by the longest common prefixes in several trees
// (M. Bawa, T. Condie, P. Ganesan, WWW 2005; algorithms.md 33).
//
// A signature of trees * depth places gives one label of `depth` places to each tree. Signatures with a long common
// prefix of labels agree in many places, and no fixed number of rows has to be chosen as for bands: a search begins at
// the longest prefix that any tree matches, and shortens it in all trees together until it has enough.
//
// A tree is a sorted array of signatures with the lengths of the prefixes that neighbours have in common: the leaves
// below a node are a stretch of it that grows as the prefix shortens.
//
// Equal signatures are collapsed first: each group is reported once, and stands for one in the search.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "paraprint/result.h"

namespace paraprint {

struct PrefixForestOptions {
  std::uint32_t trees = 10;                // l
  std::uint32_t neighbours = 20;           // m: nearest signatures that are answered for each
  std::uint32_t candidates_of_a_tree = 2;  // c: the search ends with c * l leaves, or m different ones
  // Leaves that one search takes of one tree at most, those next to it in the tree's order: a crowd that agrees in a
  // prefix is not read whole for each of its members. 0: no limit.
  std::uint32_t leaf_cap = 256;
};

struct PrefixForestStatistics {
  std::uint64_t distinct_signatures = 0;
  std::uint64_t leaves_read = 0;
  std::uint64_t searches_cut = 0;  // (signature, tree): more leaves than the cap
  std::uint64_t comparisons = 0;   // of whole signatures
  std::uint64_t pairs = 0;
};

using NeighbourPairCallback = std::function<void(std::uint32_t i, std::uint32_t j)>;
using EqualSignaturesCallback = std::function<void(std::span<const std::uint32_t> indices)>;

// Reports every pair of signatures one of which is among the other's `neighbours` nearest (most equal places; ties by
// index) of those found: i < j, ascending, each once; before them the groups of equal signatures, ascending indices.
// kInvalidArgument for no trees or signatures that are not all of one length, a multiple of the trees.
// O(trees * n log n) for the trees, then c * l leaves a signature up to the cap. Memory: 5 bytes a tree and signature,
// 8 bytes a reported pair. Threads: runs in the caller's. Deterministic.
Result<PrefixForestStatistics> join_prefix_forest(std::span<const std::span<const std::uint64_t>> signatures,
                                                  const PrefixForestOptions& options,
                                                  const NeighbourPairCallback& on_pair,
                                                  const EqualSignaturesCallback& on_equal);

}  // namespace paraprint
