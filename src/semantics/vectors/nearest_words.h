// Which rows point most nearly in a row's direction, by comparing all with all.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "paraprint/result.h"
#include "semantics/vectors/word_vectors.h"

namespace paraprint {

// The `count` rows of largest cosine with `row`, itself left out; falling, ties to the smaller row. O(rows).
std::vector<NearWord> nearest_words(const QuantisedRows& rows, std::uint32_t row, std::size_t count);

// For each of the first `searched` rows the kNearestWordsKept nearest of the first `searched`, one behind the other,
// kNoRow where there are fewer. The result does not depend on `threads`. O(searched^2); `progress` is told how many
// rows are done, from one thread at a time. kCancelled if asked to stop (paraprint/stop.h).
Result<std::vector<std::uint32_t>> find_all_nearest(const QuantisedRows& rows, std::uint32_t searched, unsigned threads,
                                                    const std::function<void(std::uint64_t)>& progress);

}  // namespace paraprint
