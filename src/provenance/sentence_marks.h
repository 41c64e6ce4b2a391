// How the words of each sentence of a page look: what tells an edited sentence from one that its author wrote.
//
// An author repeats words; edits break these repetitions: words that were misspelt, replaced by others or inserted from
// elsewhere occur nowhere else in the text, and they are rarer than those that they replaced. Marks make such
// differences comparable when two pages have different forms of a passage (docs/provenance.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "feature/page_features.h"

namespace paraprint::inline provenance {

enum class SentenceMark : std::uint8_t {
  kRarity,    // mean idf of its words, as a share of the largest one
  kCohesion,  // share of its words, by idf, that other sentences of the page have too
};
inline constexpr std::size_t kMarkCount = 2;

// Each in 255ths of its range.
using SentenceMarks = std::array<std::uint8_t, kMarkCount>;

// The marks of each sentence, in the order of the features. Pure. Cost: O(words).
std::vector<SentenceMarks> sentence_marks(const PageFeatures& features);

}  // namespace paraprint::inline provenance
