// What word-by-word alignment says of the pairs near the decision: the figure of each, and the verdict that follows.
// Plain values; align_stage.h fills them.
#pragma once

#include <cstdint>
#include <optional>

#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint {

// Whether the profiles leave it open if the pages of `match` are near: words are aligned then.
bool is_near_decision(const Match& match, const MatchOptions& options);

class WordAlignments {
 public:
  explicit WordAlignments(MemoryBudget* budget) : pairs_(budget) {}

  // In ascending order of (page_a, page_b), page_a < page_b. `word_resemblance` is in [0, 1]. Errors: of the spill.
  Status add(std::uint32_t page_a, std::uint32_t page_b, float word_resemblance);

  std::size_t size() const { return pairs_.size(); }

  // The figure of a pair, in either order; nothing if it was not aligned. O(log pairs).
  std::optional<float> find(std::uint32_t page_a, std::uint32_t page_b) const;

  // Decides an aligned pair by the mean of its resemblance and its figure; leaves every other match as it is.
  void decide(Match& match, const MatchOptions& options) const;

 private:
  struct Pair {
    std::uint32_t page_a = 0;
    std::uint32_t page_b = 0;
    float word_resemblance = 0;
  };
  SpillArray<Pair> pairs_;
};

}  // namespace paraprint
