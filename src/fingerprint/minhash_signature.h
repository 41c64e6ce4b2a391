// MinHash signatures of sets (A. Broder 1997; docs/algorithms/minhash.md): the expected share of equal places in two
// signatures is the resemblance (Jaccard similarity) of the sets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace paraprint::inline fingerprint {

// Permutation i of the 64-bit numbers: mix64(x ^ key), a bijection that spreads every bit; the keys come from
// SplitMix64. Fixed, so that signatures of equal sets are equal on every machine.
std::uint64_t permuted(std::uint64_t value, std::size_t permutation);

// signature[i] = minimum of permuted(x, i) over the members x of the set, one permutation per place of the signature.
// The set must not be empty. O(members * permutations), vectorised over permutations. Thread-safe.
void minhash_signature(std::span<const std::uint64_t> set, std::span<std::uint64_t> signature);

// One permutation (P. Li, A. Owen, C.-H. Zhang, NIPS 2012) with optimal densification (A. Shrivastava, ICML 2017): the
// range of the hash is cut into one bin per place of the signature, and each bin keeps its smallest member. An empty
// bin draws other bins at random and copies the first one that was not empty. Members must already be hashes. The set
// must not be empty. O(members + bins log bins) expected; with few members O(members * bins), once the process has made
// a table of 2 bins^2 bytes. Thread-safe.
void one_permutation_hashes(std::span<const std::uint64_t> set, std::span<std::uint64_t> signature);

// The number of equal places in two signatures of the same length.
std::size_t equal_places(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

}  // namespace paraprint::inline fingerprint
