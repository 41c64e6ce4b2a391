// Sums the answers of oblivious trees for many units at once, in vectors of whatever width the machine has (Highway,
// chosen at run time). Additions are 16-bit integers in the order of the trees: every width gives the same sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "extract/block_model.h"

namespace paraprint {

// Writes the log-odds (in 1/kAnswerUnit, saturating) of every unit of `matrix` to `sums`, which holds row_size()
// values.
void sum_answers(std::span<const ObliviousTree> trees, std::int16_t bias, const FeatureMatrix& matrix,
                 std::int16_t* sums);

// The same, one unit after the other: what the vectors are tested against.
void sum_answers_plainly(std::span<const ObliviousTree> trees, std::int16_t bias, const FeatureMatrix& matrix,
                         std::int16_t* sums);

}  // namespace paraprint
