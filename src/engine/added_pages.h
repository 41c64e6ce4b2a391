// The pages that runs into this output folder have added to an index. A run that is restarted over the same inputs
// would otherwise find its own pages in the index, and remove all of them as known from an earlier crawl.
//
// Pages are remembered with the index and the input that they came from: other inputs are another crawl, for which the
// pages of this one are known. Stored form: docs/formats/added-pages.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/cluster_stage.h"
#include "engine/run.h"
#include "memory/spill_array.h"
#include "paraprint/result.h"
#include "profile/page_log.h"
#include "profile/page_table.h"

namespace paraprint::inline engine {

// A set of ids, as the index has them (index_id()). Memory, on the budget: 16 bytes per id. Threads: any number.
class AddedPages {
 public:
  explicit AddedPages(MemoryBudget* budget = nullptr) : digests_(budget) {}

  bool empty() const { return digests_.empty(); }
  bool contains(std::string_view id) const;

 private:
  friend Result<AddedPages> read_added_pages(const std::string& path, const std::string& source, const RunSetup& run);

  SpillArray<std::array<std::uint64_t, 2>> digests_;  // sorted
};

inline constexpr std::uint32_t kAddedPagesFormatVersion = 1;  // persisted

// The ids that runs with this file have added to the index `source` from inputs of `run`; none if there is no file.
// Errors: kUnsupported, kCorruptData, kInputOutput, those of examining the inputs and of the budget's disk.
Result<AddedPages> read_added_pages(const std::string& path, const std::string& source, const RunSetup& run);

// Adds the pages that the run keeps, without those that have no text, which no index takes. Must succeed before the
// first of them is added to the index. Errors: as above, those of AtomicFile and of reading the log. Memory, on the
// budget: twice the file.
Status record_added_pages(const std::string& path, const std::string& source, const RunSetup& run, const PageLog& log,
                          const PageTable& pages, const Decisions& decisions);

}  // namespace paraprint::inline engine
