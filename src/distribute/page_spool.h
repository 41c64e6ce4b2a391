// The profiles that a task has fetched, and a scorer for pairs of them: the part of a page log that one task needs, in
// an unnamed file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "distribute/records.h"
#include "engine/pair_scorer.h"
#include "index/site_boilerplate.h"
#include "memory/memory_budget.h"
#include "memory/spill_hash_table.h"
#include "paraprint/options.h"
#include "profile/page_log.h"
#include "profile/page_table.h"

namespace paraprint::distribute {

// Call order: want*, add_batch*, finish, score*. The references must outlive the object. One thread at a time.
class PageSpool {
 public:
  PageSpool(const TaskTables& tables, const SiteBoilerplate& boilerplate, const MatchOptions& options,
            std::string temporary_folder, MemoryBudget* budget);

  void want(std::uint32_t page) { is_wanted_[page] = true; }
  // Whether a batch of `pages` pages contains a wanted page; others need not be offered.
  bool wants_any(std::uint64_t first_position, std::uint64_t pages) const;

  // Keeps the wanted pages of a batch. Errors: kCorruptData for malformed batches; those of the disk.
  Status add_batch(std::uint64_t first_position, std::string_view facts, std::string_view profiles);
  // Call after the last batch. kNotFound if a wanted page is missing.
  Status finish();

  // The match of two wanted pages, as from PairScorer::score(). kNotFound for other pages.
  Result<Match> score(std::uint32_t page_a, std::uint32_t page_b, std::vector<MatchedSpan>* evidence = nullptr);

 private:
  const TaskTables& tables_;
  const SiteBoilerplate& boilerplate_;
  MatchOptions options_;
  std::string temporary_folder_;
  std::vector<bool> is_wanted_;
  std::unique_ptr<PageLog> log_;
  PageBatch batch_;
  PageTable pages_;                                             // of the log, in the order of arrival
  SpillHashTable<std::uint64_t, std::uint32_t> place_of_page_;  // place in `pages_` plus one; 0: not fetched
  std::unique_ptr<PairScorer> scorer_;
};

}  // namespace paraprint::distribute
