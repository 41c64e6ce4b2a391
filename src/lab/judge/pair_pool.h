// All pairs that several algorithms find on the same pages, each with the score of every algorithm: the population that
// a sample is drawn from, as in the pooling of information retrieval evaluations.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lab/evaluate/evaluate_match.h"
#include "memory/external_sort.h"
#include "memory/memory_budget.h"
#include "memory/spill_array.h"
#include "paraprint/result.h"
#include "profile/page_log.h"
#include "profile/page_table.h"

namespace paraprint::inline lab::inline judge {

// Pairs times algorithms that scored them, at most: 1.6 GB on disk.
inline constexpr std::uint64_t kPooledScoresMaximum = 100'000'000;

// Pages are named by their position in the byte order of ids, so that nothing depends on the order of the input.
struct PooledScore {
  std::uint32_t place_a = 0;  // place_a < place_b
  std::uint32_t place_b = 0;
  std::uint32_t algorithm = 0;
  float score = 0;
  auto operator<=>(const PooledScore&) const = default;
};

// Threads: one at a time.
class PairPool {
 public:
  // `spill_folder` is for scores beyond the memory limits; `budget` must outlive the pool.
  PairPool(MemoryBudget& budget, const std::string& spill_folder);

  // Reads which pages have equal texts. Call it once, before add(). Errors: those of reading the log.
  Status set_pages(const PageLog& profiles, const PageTable& pages);

  // Adds what one algorithm found. Pages of equal text count as one page, that with the smallest id, and pairs among
  // them are left out. Errors: kLimitExceeded, naming `label`, beyond kPooledScoresMaximum; those of the disk.
  Status add(std::uint32_t algorithm, const std::string& label, const FoundPairs& found);

  // Sorts the pairs. Call it once, after the last add(). Errors: those of the disk.
  Status finish();

  // Calls visit(scores of one pair, by algorithm, each algorithm once, index of the first) for each pair in the order
  // of ids. After finish(), any number of times.
  Status for_each(const std::function<void(std::span<const PooledScore> scores, std::uint64_t first)>& visit) const;
  // The scores of one pair by the index that for_each() gave.
  std::span<const PooledScore> scores_at(std::uint64_t first) const;

  std::uint64_t pairs() const { return pairs_; }
  std::uint64_t equal_texts() const { return equal_texts_; }  // pages that another page stands for
  std::uint32_t page_at(std::uint32_t place) const { return page_of_place_[place]; }

 private:
  struct ScoreOrder {
    static std::uint64_t key(const PooledScore& score) { return std::uint64_t{score.place_a} << 32 | score.place_b; }
    static bool combine(PooledScore& into, const PooledScore& from);
  };

  Status push(std::uint32_t algorithm, std::span<const std::uint32_t> texts_a, std::span<const std::uint32_t> texts_b,
              float score);

  MemoryBudget& budget_;
  std::string spill_folder_;
  std::vector<std::uint32_t> place_of_page_;  // of the page with the smallest id and the same text
  std::vector<std::uint32_t> page_of_place_;
  ExternalSorter<PooledScore, ScoreOrder> sorter_;
  std::uint64_t pushed_ = 0;
  SpillArray<PooledScore> scores_;
  std::uint64_t pairs_ = 0;
  std::uint64_t equal_texts_ = 0;
};

}  // namespace paraprint::inline lab::inline judge
