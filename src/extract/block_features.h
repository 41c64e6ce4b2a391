// The features of the first stage: what a unit of text looks like, where it stands, what surrounds it and what the
// elements around it are called. docs/algorithms/extraction.md lists them.
#pragma once

#include <cstdint>
#include <vector>

#include "extract/feature_matrix.h"
#include "extract/page_tree.h"

namespace paraprint {

// Sums over the units before each unit: sums over a range of units are differences.
struct UnitSums {
  struct Totals {
    std::uint32_t tokens = 0;
    std::uint32_t link_tokens = 0;
    std::uint32_t prose_tokens = 0;  // of units that read like sentences
    std::uint32_t sentence_ends = 0;
    std::uint32_t commas = 0;
    std::int32_t balance = 0;  // prose minus clutter
  };
  std::vector<Totals> before;  // one more than units
  void compute(const PageTree& tree);
  Totals of(const PageElement& element) const;
};

// A unit that reads like part of a text: long enough, with punctuation, little of it links.
bool is_prose(const TextUnit& unit);

std::size_t block_feature_count();

// Fills rows [0, block_feature_count()) for every unit. Keeps scratch memory; not thread-safe. Cost: O(units +
// elements).
class BlockFeatures {
 public:
  void compute(const PageTree& tree, const UnitSums& sums, FeatureMatrix& matrix);

 private:
  struct Candidate;
  void score_containers(const PageTree& tree, const UnitSums& sums);
  std::vector<std::uint64_t> scores_;  // readability-like, an element
  std::vector<std::uint64_t> hash_slots_;
  std::uint32_t best_scored_ = 0;
  std::uint32_t best_balanced_ = 0;
};

}  // namespace paraprint
