// The topics of a text under a fixed model, and how alike two texts are in them.
//
// The topics are the fixed point of n_k = sum over words w of count(w) * p(w|k) * (n_k + prior) / sum_j p(w|j) * (n_j +
// prior): variational inference collapsed to counts (CVB0; A. Asuncion, M. Welling, P. Smyth, Y. W. Teh, "On smoothing
// and inference for topic models", UAI 2009). A fixed number of rounds of additions, multiplications and divisions from
// equal parts: no lot is drawn, and every machine has the same numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semantics/topics/topic_model.h"

namespace paraprint {

// A word of a text: row of the model, and how often.
struct TopicWord {
  std::uint32_t row = 0;
  std::uint32_t count = 0;
};

// Holds scratch memory: one instance a thread. The model must outlive it.
class TopicInference {
 public:
  static constexpr int kRounds = 8;

  explicit TopicInference(const TopicModel& model) : model_(model) {}

  // Replaces `shares` by the parts that the topics have in the text; their sum is 1. Without words all are equal.
  // Costs kRounds * entries of the words.
  void infer(std::span<const TopicWord> words, std::vector<double>& shares);

 private:
  const TopicModel& model_;
  std::vector<double> counts_;
};

// 1 - Hellinger distance of two distributions: 1 where they are equal, 0 where they have nothing in common.
double topic_affinity(std::span<const double> a, std::span<const double> b);

}  // namespace paraprint
