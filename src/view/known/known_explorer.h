// An index that is open for reading only, and the catalogue of its pages, which is made in the background.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "memory/memory_budget.h"
#include "paraprint/index.h"
#include "paraprint/result.h"
#include "paraprint/view.h"
#include "view/known/index_catalogue.h"
#include "view/loading.h"

namespace paraprint::inline explorer::inline known {

// Threads: load() on one; all others may read what is there (is_ready()).
class KnownExplorer {
 public:
  // Opens the newest snapshot of the index, or the index itself if it has none. Errors: those of PageIndex::open() with
  // IndexOptions::read_only.
  static Result<std::unique_ptr<KnownExplorer>> open(const std::string& folder, const ViewOptions& options,
                                                     const RunControl& control);

  // Errors: those of IndexCatalogue::create().
  Status load(const RunControl& control);

  const std::string& folder() const { return folder_; }
  const PageIndex& index() const { return *index_; }
  // Of the moment when it was opened.
  const IndexStatistics& statistics() const { return statistics_; }
  const MatchOptions& match_options() const { return match_; }
  LoadingStep step() const { return loading_.step(); }
  bool is_ready() const { return is_ready_.load(std::memory_order_acquire); }
  const IndexCatalogue& catalogue() const { return *catalogue_; }

  // What the index finds for a page that it has: the known pages of other texts, and one other page with the same
  // text, if there is one. At most `matches`, with their spans if `evidence`. Errors: those of reading; kNotFound if
  // the page is not there.
  Result<LookupOutcome> matches_of(std::uint32_t page, std::uint32_t matches, bool evidence) const;

 private:
  KnownExplorer(std::string folder, const ViewOptions& options);

  const std::string folder_;
  MemoryBudget budget_;
  MatchOptions match_;
  std::unique_ptr<PageIndex> index_;
  IndexStatistics statistics_;
  LoadingState loading_;
  std::unique_ptr<IndexCatalogue> catalogue_;
  std::atomic<bool> is_ready_ = false;
};

}  // namespace paraprint::inline explorer::inline known
