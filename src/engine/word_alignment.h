// The results of word-by-word alignment for pairs near the threshold, and the verdicts that follow. Plain values,
// filled by align_stage.h.
#pragma once

#include <cstdint>
#include <optional>

#include "base/counters.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint::inline engine {

// Whether the resemblance of the profiles is so close to the threshold that words should be aligned.
bool is_near_decision(const Match& match, const MatchOptions& options);

class WordAlignments {
 public:
  explicit WordAlignments(MemoryBudget* budget) : pairs_(budget) {}

  // Requires page_a < page_b, ascending (page_a, page_b), and `word_resemblance` in [0, 1]. Errors: those of the spill.
  Status add(std::uint32_t page_a, std::uint32_t page_b, float word_resemblance);

  std::size_t size() const { return pairs_.size(); }

  // The word resemblance of a pair, in either order; nullopt if it was not aligned. O(log pairs).
  std::optional<float> find(std::uint32_t page_a, std::uint32_t page_b) const;

  // Decides an aligned pair again, by the mean of resemblance and word resemblance. Leaves other matches unchanged.
  void decide(Match& match, const MatchOptions& options) const;

 private:
  struct Pair {
    std::uint32_t page_a = 0;
    std::uint32_t page_b = 0;
    float word_resemblance = 0;
  };
  SpillArray<Pair> pairs_;
};

// What alignment makes of the pairs of a run.
struct AlignedPairs {
  explicit AlignedPairs(MemoryBudget* budget) : words(budget) {}
  WordAlignments words;  // of the pairs near the decision
  Counters counters;
};

}  // namespace paraprint::inline engine
