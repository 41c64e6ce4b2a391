// The profiles that a task has read or was sent, and a scorer for pairs of them: the part of a page log that one task
// needs, in an unnamed file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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

// Call order: add* and add_parcel*, finish, score*. The references must outlive the object. One thread at a time.
class PageSpool {
 public:
  PageSpool(const SiteBoilerplate& boilerplate, const MatchOptions& options, std::string temporary_folder,
            MemoryBudget* budget);

  // Keeps the pages of a "pages" parcel. Errors: kCorruptData for malformed parcels and for a page that comes twice;
  // those of the disk.
  Status add_parcel(std::string_view bytes);
  // Keeps a page. Errors: as above.
  Status add(const FetchedPage& page);
  // Call after the last page.
  Status finish();

  std::size_t size() const { return place_of_page_.size(); }
  // Nothing for pages that were not added.
  std::optional<std::uint32_t> content_characters(std::uint32_t page) const;

  // The match of two pages, as from PairScorer::score(). kNotFound for pages that were not added.
  Result<Match> score(std::uint32_t page_a, std::uint32_t page_b, std::vector<MatchedSpan>* evidence = nullptr);

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
