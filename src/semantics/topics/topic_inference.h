// The topics of a text under a fixed model, and the similarity of two texts in their topics.
//
// The topics are the fixed point of n_k = sum over words w of count(w) * p(w|k) * (n_k + prior) / sum_j p(w|j) * (n_j +
// prior): variational inference collapsed to counts (CVB0; A. Asuncion, M. Welling, P. Smyth, Y. W. Teh, "On smoothing
// and inference for topic models", UAI 2009). It starts from equal shares and runs a fixed number of rounds of
// additions, multiplications and divisions: nothing is random, and every machine computes the same numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semantics/topics/topic_model.h"

namespace paraprint::inline semantics::inline topics {

// A word of a text: its row in the model, and its count in the text.
struct TopicWord {
  std::uint32_t row = 0;
  std::uint32_t count = 0;
};

// Holds scratch memory: one instance per thread. The model must outlive it.
class TopicInference {
 public:
  static constexpr int kRounds = 8;

  explicit TopicInference(const TopicModel& model) : model_(model) {}

  // Replaces `shares` with the share of each topic in the text; they sum to 1. Without words all are equal.
  // O(kRounds * entries of the words).
  void infer(std::span<const TopicWord> words, std::vector<double>& shares);

 private:
  const TopicModel& model_;
  std::vector<double> counts_;
};

// 1 - Hellinger distance of two distributions: 1 if they are equal, 0 if they have no topic in common.
double topic_affinity(std::span<const double> a, std::span<const double> b);

}  // namespace paraprint::inline semantics::inline topics
