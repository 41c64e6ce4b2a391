// The sketch of a page's text as a whole (algorithms.md 30 and 31): min-hashes of its pairs of neighbouring words, and
// the numbers it names.
#pragma once

#include <cstdint>
#include <span>

#include "paraprint/model.h"

namespace paraprint {

// Replaces `sketch`. `words` are the hashes of the page's words in order, `numbers` those of its distinct numbers in
// any order. O(words + numbers).
void make_page_sketch(std::span<const std::uint64_t> words, std::span<const std::uint64_t> numbers, PageSketch& sketch);

}  // namespace paraprint
