// Compares an algorithm's scores with the labels, pair by pair. Pages of equal text are expanded, so that pairs among
// them count; pairs without a label are counted without being listed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lab/evaluate/labelled_set.h"

namespace paraprint::inline lab::inline evaluation {

// A pair that is reported at any threshold up to `score`. page_a < page_b.
struct ScoredPagePair {
  std::uint32_t page_a = 0;
  std::uint32_t page_b = 0;
  float score = 0;
};

// An algorithm's result. `pairs` are between representatives, sorted by (page_a, page_b), each once; pages with the
// same representative are copies with score 1. Without representatives every page represents itself.
struct FoundPairs {
  std::vector<ScoredPagePair> pairs;
  std::vector<std::uint32_t> representatives;
};

inline constexpr float kNotScored = -1;
inline constexpr float kEqualTextScore = 1;

enum class OutcomeClass : std::uint8_t { kDuplicate = 0, kNear = 1, kTopic = 2, kDifferent = 3, kUnlabelled = 4 };

// One or more pairs of the same class, score and unit.
struct PairOutcome {
  float score = 0;
  OutcomeClass outcome = OutcomeClass::kUnlabelled;
  std::uint64_t weight = 1;  // number of pairs
  std::uint32_t unit = 0;
};

struct PairOutcomes {
  std::vector<PairOutcome> scored;           // descending score, then class and unit
  std::vector<float> score_of_truth;         // by truth pair; kNotScored if not found
  std::vector<std::uint32_t> unit_of_truth;  // by truth pair
};

// O(found log found + truth log found).
PairOutcomes judge_pairs(const LabelledSet& set, const FoundPairs& found);

// Pages of equal text by representative, each list ascending; empty for pages that represent no other.
std::vector<std::vector<std::uint32_t>> equal_text_groups(const FoundPairs& found, std::uint32_t pages);

// The score of a pair of pages; kNotScored if it was not found.
float score_of(const FoundPairs& found, std::uint32_t page_a, std::uint32_t page_b);

}  // namespace paraprint::inline lab::inline evaluation
