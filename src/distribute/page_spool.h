// The profiles that a task has read or was sent, and a scorer for pairs of them: the part of a page log that one task
// needs, in an unnamed file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "distribute/fetched_pages.h"
#include "engine/pair_scorer.h"
#include "index/site_boilerplate.h"
#include "memory/memory_budget.h"
#include "memory/spill_hash_table.h"
#include "paraprint/options.h"
#include "profile/page_log.h"
#include "profile/page_table.h"

namespace paraprint::distribute {

// Call order: add* and add_parcel*, finish, score*. The references must outlive the object. One thread at a time.
class PageSpool : public FetchedPages {
 public:
  PageSpool(const SiteBoilerplate& boilerplate, const MatchOptions& options, std::string temporary_folder,
            MemoryBudget* budget);

  Status add(const FetchedPage& page) override;
  Status finish() override;

  std::size_t size() const override { return place_of_page_.size(); }
  std::optional<std::uint32_t> content_characters(std::uint32_t page) const override;
  Result<Match> score(std::uint32_t page_a, std::uint32_t page_b) override { return score(page_a, page_b, nullptr); }
  bool is_stored(const Match& match) const override { return is_worth_storing(match, options_); }

  // The same, and what the pages have in common, as from PairScorer::score(). `evidence` may be null.
  Result<Match> score(std::uint32_t page_a, std::uint32_t page_b, std::vector<MatchedSpan>* evidence);

 private:
  const SiteBoilerplate& boilerplate_;
  MatchOptions options_;
  std::string temporary_folder_;
  std::unique_ptr<PageLog> log_;
  PageBatch batch_;
  PageTable pages_;                                             // of the log, in the order of arrival
  SpillHashTable<std::uint64_t, std::uint32_t> place_of_page_;  // place in `pages_` plus one; 0: not added
  SpillArray<std::uint32_t> content_characters_;                // by place
  std::unique_ptr<PairScorer> scorer_;
};

}  // namespace paraprint::distribute
