// Profiles that a task fetched, by page number, and pairs of them scored: the part of a page log that one task needs,
// in a nameless file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "distribute/records.h"
#include "engine/page_table.h"
#include "engine/pair_scorer.h"
#include "index/site_boilerplate.h"
#include "memory/memory_budget.h"
#include "memory/spill_hash_table.h"
#include "paraprint/options.h"
#include "profile/page_log.h"

namespace paraprint::distribute {

// Wanted pages are named first, then batches are offered, then pairs are scored. The references must outlive it.
class PageSpool {
 public:
  PageSpool(const TaskTables& tables, const SiteBoilerplate& boilerplate, const MatchOptions& options,
            std::string temporary_folder, MemoryBudget* budget);

  void want(std::uint32_t page) { is_wanted_[page] = true; }
  bool wants_any(std::uint64_t first_position, std::uint64_t pages) const;

  // Takes the wanted pages of a batch. Errors: kCorruptData for bytes that are no batch; those of the disk.
  Status add_batch(std::uint64_t first_position, std::string_view facts, std::string_view profiles);
  // After the last batch. kNotFound if a wanted page did not come.
  Status finish();

  // Both wanted: what PairScorer says of them, with `evidence` its spans.
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
  SpillHashTable<std::uint64_t, std::uint32_t> place_of_page_;  // in `pages_`, plus one
  std::unique_ptr<PairScorer> scorer_;
};

}  // namespace paraprint::distribute
