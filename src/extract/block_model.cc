#include "extract/block_model.h"

#include <algorithm>

namespace paraprint {
namespace {

#include "extract/block_model_first.inc"
#include "extract/block_model_second.inc"

constexpr int kUnitsPerWeightStep = kAnswerUnit / kWeightSteps;

BlockWeight quantise(std::int32_t log_odds) {
  const std::int32_t steps = (log_odds + kUnitsPerWeightStep / 2) >> 8;
  static_assert(kUnitsPerWeightStep == 1 << 8);
  return static_cast<BlockWeight>(std::clamp(kEvenWeight + steps, 0, 255));
}

}  // namespace

const std::array<std::uint16_t, 256> kWeightProbability = {
#include "extract/weight_probability.inc"
};

const BlockModel& first_stage_model() {
  static constexpr BlockModel kModel{kFirstStageTrees, kFirstStageBias};
  return kModel;
}

const BlockModel& second_stage_model() {
  static constexpr BlockModel kModel{kSecondStageTrees, kSecondStageBias};
  return kModel;
}

void weigh_units(const BlockModel& model, const FeatureMatrix& matrix, std::vector<BlockWeight>& weights) {
  weights.resize(matrix.units());
  for (std::size_t begin = 0; begin < matrix.units(); begin += kFeatureRowStep) {
    std::array<std::int32_t, kFeatureRowStep> sums;
    sums.fill(model.bias);
    for (const ObliviousTree& tree : model.trees) {
      std::array<std::uint8_t, kFeatureRowStep> leaves{};
      for (std::size_t q = 0; q < kTreeDepth; ++q) {
        const std::uint8_t* const row = matrix.row(tree.questions[q].feature) + begin;
        const std::uint8_t threshold = tree.questions[q].threshold;
        const auto bit = static_cast<std::uint8_t>(1U << q);
        for (std::size_t i = 0; i < kFeatureRowStep; ++i) {
          leaves[i] = static_cast<std::uint8_t>(leaves[i] | (row[i] > threshold ? bit : 0));
        }
      }
      for (std::size_t i = 0; i < kFeatureRowStep; ++i) sums[i] += tree.answers[leaves[i]];
    }
    const std::size_t end = std::min(matrix.units(), begin + kFeatureRowStep);
    for (std::size_t i = begin; i < end; ++i) weights[i] = quantise(sums[i - begin]);
  }
}

}  // namespace paraprint
