// The learnt judgement of units: gradient-boosted oblivious trees (Kohavi, Li 1995; Prokhorenkova et al. 2018) over the
// byte features of block_features.h and context_features.h. An oblivious tree asks the same six questions of every
// unit, so its answer is a table look-up by six bits, and vectors judge many units at once (tree_evaluator.h). Sums are
// integers: the same page gets the same weights on every machine.
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
inline constexpr std::size_t kTreeLeaves = std::size_t{1} << kTreeDepth;
inline constexpr int kAnswerUnit = 512;  // answers are log-odds in 1/512: sums of +-64 fit 16 bits

struct ObliviousTree {
  struct Question {
    std::uint16_t feature = 0;
    std::uint8_t threshold = 0;  // answer bit: value > threshold
  };
  using Questions = std::array<Question, kTreeDepth>;
  using Answers = std::array<std::int16_t, kTreeLeaves>;

  constexpr ObliviousTree(const Questions& asked, const Answers& answers) : questions(asked) {
    for (std::size_t i = 0; i < kTreeLeaves; ++i) {
      low_bytes[i] = static_cast<std::uint8_t>(answers[i] & 0xFF);
      high_bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint16_t>(answers[i]) >> 8);
    }
  }
  constexpr std::int16_t answer(std::size_t leaf) const {
    return static_cast<std::int16_t>(high_bytes[leaf] << 8 | low_bytes[leaf]);
  }

  Questions questions;
  std::array<std::uint8_t, kTreeLeaves> low_bytes{};  // answers in two planes, as look-ups by vectors want them
  std::array<std::uint8_t, kTreeLeaves> high_bytes{};
};

struct BlockModel {
  std::span<const ObliviousTree> trees;
  std::int16_t bias = 0;  // log-odds in 1/kAnswerUnit
};

// Judges units by the rows of block_features.h.
const BlockModel& first_stage_model();
// Judges units by the rows of block_features.h, followed by those of context_features.h.
const BlockModel& second_stage_model();

// Log-odds of every unit, quantised. `weights` is resized to the units of `matrix`. Pure; cost: units * trees.
void weigh_units(const BlockModel& model, const FeatureMatrix& matrix, std::vector<BlockWeight>& weights);

}  // namespace paraprint
