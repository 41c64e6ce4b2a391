// MinHash signatures of sets (algorithms.md 30): places where two signatures agree are as frequent as the sets'
// resemblance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace paraprint {

// Permutation i of the 64-bit numbers: mix64(x ^ key), a bijection that spreads every bit; the keys are those of
// SplitMix64. Fixed: signatures of equal sets are equal on every machine.
std::uint64_t permuted(std::uint64_t value, std::size_t permutation);

// signature[i] = the least permuted(x, i) of the set's members x, for as many permutations as the signature is long.
// The set is not empty. O(members * permutations), several permutations at a time where the machine can. Thread-safe.
void min_hashes(std::span<const std::uint64_t> set, std::span<std::uint64_t> signature);

// One permutation (P. Li, A. Owen, C.-H. Zhang, NIPS 2012) with optimal densification (A. Shrivastava, ICML 2017): the
// range of the hash is cut into as many bins as the signature is long, each keeps its least member, and an empty bin
// copies from bins drawn at random until it meets one that was not empty. Members are hashes already. The set is not
// empty. O(members + bins log bins) expected.
void one_permutation_hashes(std::span<const std::uint64_t> set, std::span<std::uint64_t> signature);

// In how many places two signatures of equal length agree.
std::size_t equal_places(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

}  // namespace paraprint
