// Finds the rows with the most similar direction, by exhaustive comparison.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "paraprint/result.h"
#include "semantics/vectors/word_vectors.h"

namespace paraprint::inline semantics::inline vectors {

// The `count` rows with the largest cosine to `row`, without itself, in descending order, ties to the smaller row.
// O(rows).
std::vector<NearWord> nearest_words(const QuantisedRows& rows, std::uint32_t row, std::size_t count);

// For each of the first `searched` rows, its kNearestWordsKept nearest rows among the first `searched`, concatenated
// and padded with kNoRow. The result does not depend on `threads`. O(searched^2). Calls `progress` with the number of
// rows done, from one thread at a time. kCancelled if asked to stop (base/stop.h).
Result<std::vector<std::uint32_t>> find_all_nearest(const QuantisedRows& rows, std::uint32_t searched, unsigned threads,
                                                    const std::function<void(std::uint64_t)>& progress);

}  // namespace paraprint::inline semantics::inline vectors
