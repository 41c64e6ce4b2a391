// Sign random projection of weighted terms (algorithms.md 5; Charikar, STOC 2002).
//
// Every term owns a vector of +1 and -1, drawn by SplitMix64 from the term's hash, so that no table of vectors has to
// be shared between machines. Bit j of the result is 1 where the weighted vectors sum to more than 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paraprint/terms.h"

namespace paraprint {

// A page's distinct terms with their counts. Reused from page to page.
struct CountedTerms {
  // Replaces what was there by the terms that occur.
  void collect(const PageTerms& terms);

  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> counts;  // as many
};

// Fills `words` (64 bits each, bit 1 of the projection is the top bit of words[0]) from terms hashes[i] = H64 of the
// term with weights[i], which may be 0. Equal lengths. The sum is exact and does not depend on the order of the terms.
// O(words * terms * log(sum of weights)) bit operations on 64 bits at once; thread-safe, no allocation.
void sign_projection(std::span<const std::uint64_t> hashes, std::span<const std::uint32_t> weights,
                     std::span<std::uint64_t> words);

}  // namespace paraprint
