// The sketch of a page's whole text: b-bit min-hashes of its pairs of neighbouring words (docs/algorithms/minhash.md),
// and hashes of the numbers that occur in it. docs/algorithms/paragraph-matching.md describes its use.
#pragma once

#include <cstdint>
#include <span>

#include "paraprint/model.h"

namespace paraprint::inline fingerprint {

// Replaces `sketch`. `words`: hashes of the page's words in order. `numbers`: hashes of its distinct numbers in any
// order. O(words + numbers).
void make_page_sketch(std::span<const std::uint64_t> words, std::span<const std::uint64_t> numbers, PageSketch& sketch);

}  // namespace paraprint::inline fingerprint
