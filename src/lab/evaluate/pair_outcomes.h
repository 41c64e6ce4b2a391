// What an algorithm said of every pair, beside what the labels say: pages of equal text are expanded, so that pairs
// among them count, and pairs without a label are counted without being listed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lab/evaluate/labelled_set.h"

namespace paraprint {

// A pair that could be reported at a threshold of `score` or less. page_a < page_b.
struct ScoredPagePair {
  std::uint32_t page_a = 0;
  std::uint32_t page_b = 0;
  float score = 0;
};

// What an algorithm found. `pairs` are between representatives, sorted by (page_a, page_b), each once; pages with one
// representative are copies of score 1. Without representatives every page stands for itself.
struct FoundPairs {
  std::vector<ScoredPagePair> pairs;
  std::vector<std::uint32_t> representatives;
};

inline constexpr float kNotScored = -1;
inline constexpr float kEqualTextScore = 1;

enum class OutcomeClass : std::uint8_t { kDuplicate = 0, kNear = 1, kTopic = 2, kDifferent = 3, kUnlabelled = 4 };

// Pairs of one class and one score.
struct PairOutcome {
  float score = 0;
  OutcomeClass outcome = OutcomeClass::kUnlabelled;
  std::uint32_t weight = 1;  // pairs
  std::uint32_t unit = 0;
};

struct PairOutcomes {
  std::vector<PairOutcome> scored;           // falling scores; within a score by class and unit
  std::vector<float> score_of_truth;         // by truth pair; kNotScored
  std::vector<std::uint32_t> unit_of_truth;  // by truth pair
};

// O(found log found + truth log found).
PairOutcomes judge_pairs(const LabelledSet& set, const FoundPairs& found);

// Pages of equal text by their representative, each list ascending; empty for pages that stand for none.
std::vector<std::vector<std::uint32_t>> equal_text_groups(const FoundPairs& found, std::uint32_t pages);

// The score of a pair of pages, kNotScored if it was not found.
float score_of(const FoundPairs& found, std::uint32_t page_a, std::uint32_t page_b);

}  // namespace paraprint
