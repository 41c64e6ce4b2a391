// Sums the answers of oblivious trees for many units at once, with the vector instructions of the machine (Highway,
// chosen at run time). Additions are saturating 16-bit integers in the order of the trees, so every vector width gives
// the same sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "extract/block_model.h"

namespace paraprint::inline extract {

// Writes the log-odds (in 1/kAnswerUnit, saturating) of the units [begin, end) of `matrix` to their places in `sums`,
// which must have room for row_size() values. `begin` and `end` are multiples of kFeatureRowStep.
void sum_answers(std::span<const ObliviousTree> trees, std::int16_t bias, const FeatureMatrix& matrix,
                 std::size_t begin, std::size_t end, std::int16_t* sums);

// The same, one unit at a time: the reference for tests, and the fallback without vector instructions.
void sum_answers_plainly(std::span<const ObliviousTree> trees, std::int16_t bias, const FeatureMatrix& matrix,
                         std::size_t begin, std::size_t end, std::int16_t* sums);

}  // namespace paraprint::inline extract
