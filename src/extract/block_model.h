// The learnt judgement of units: gradient-boosted oblivious trees (Kohavi, Li 1995; Prokhorenkova et al. 2018) over the
// byte features of block_features.h and context_features.h. An oblivious tree asks the same six questions of every
// unit, so its answer is a table look-up by six bits, and a row of units is judged by loops the compiler makes into
// vectors. Sums are integers: the same page gets the same weights on every machine.
//
// The tables (block_model_first.inc, block_model_second.inc) are numbers only; tools/extraction makes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "extract/context_features.h"
#include "extract/feature_matrix.h"

namespace paraprint {

inline constexpr std::size_t kTreeDepth = 6;

struct ObliviousTree {
  struct Question {
    std::uint16_t feature;
    std::uint8_t threshold;  // answer bit: value > threshold
  };
  std::array<Question, kTreeDepth> questions;
  std::array<std::int16_t, std::size_t{1} << kTreeDepth> answers;  // log-odds in 1/kAnswerUnit
};
inline constexpr int kAnswerUnit = 4096;

struct BlockModel {
  std::span<const ObliviousTree> trees;
  std::int32_t bias;  // log-odds in 1/kAnswerUnit
};

// Judges units by the rows of block_features.h.
const BlockModel& first_stage_model();
// Judges units by the rows of block_features.h, followed by those of context_features.h.
const BlockModel& second_stage_model();

// Log-odds of every unit, quantised. `weights` is resized to the units of `matrix`. Pure; cost: units * trees.
void weigh_units(const BlockModel& model, const FeatureMatrix& matrix, std::vector<BlockWeight>& weights);

}  // namespace paraprint
