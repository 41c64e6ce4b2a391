// Holds the generated tables. They are included rather than loaded at run time, so the model cannot be missing and
// always matches the features it was trained on.
#include "extract/block_model.h"

#include <algorithm>

#include "extract/block_selection.h"
#include "extract/tree_evaluator.h"

namespace paraprint::inline extract {
namespace {

#include "extract/tables/block_model_first.inc"
#include "extract/tables/block_model_second.inc"

constexpr int kAnswersPerStep = kAnswerUnit / kWeightSteps;
static_assert(kAnswersPerStep == 1 << 5);

// Rounds to the nearest step; the shift of negative numbers is arithmetic in C++20.
BlockWeight quantise(std::int16_t log_odds) {
  const int steps = (log_odds + kAnswersPerStep / 2) >> 5;
  return static_cast<BlockWeight>(std::clamp(kEvenWeight + steps, 0, 255));
}

}  // namespace

const std::array<std::uint16_t, 256> kWeightProbability = {
#include "extract/tables/weight_probability.inc"
};

const std::array<std::array<std::uint16_t, 256>, kScenarioCount> kScenarioProbability = {
#include "extract/tables/scenario_probability.inc"
};

const BlockModel& first_stage_model() {
  static constexpr BlockModel kModel{kFirstStageTrees, kFirstStageBias};
  return kModel;
}

const BlockModel& second_stage_model() {
  static constexpr BlockModel kModel{kSecondStageTrees, kSecondStageBias};
  return kModel;
}

bool weigh_units(const BlockModel& model, const FeatureMatrix& matrix, std::vector<BlockWeight>& weights,
                 StopCheck& stop) {
  constexpr std::size_t kPiece = 16 * kFeatureRowStep;
  // Rows are padded to whole vectors: sums beyond the last unit are computed and ignored.
  std::vector<std::int16_t> sums(matrix.row_size());
  for (std::size_t begin = 0; begin < matrix.row_size(); begin += kPiece) {
    const std::size_t end = std::min(begin + kPiece, matrix.row_size());
    sum_answers(model.trees, model.bias, matrix, begin, end, sums.data());
    if (stop.after((end - begin) * StopCheck::kUnitsPerNode)) return false;
  }
  weights.resize(matrix.units());
  for (std::size_t i = 0; i < matrix.units(); ++i) weights[i] = quantise(sums[i]);
  return true;
}

}  // namespace paraprint::inline extract
