// What the calls over pages in memory share.
#pragma once

#include "engine/pipeline.h"
#include "paraprint/options.h"
#include "paraprint/page_collection.h"
#include "paraprint/result.h"

namespace paraprint::inline api {

// kLimitExceeded for more pages than a run can number.
Status check_size(const PageCollection& pages);

// A run that has pages in memory in place of files, and writes the output folder without records.
struct CollectionRun {
  DedupOptions options;
  MemoryRun memory;

  // Call it in the StopScope of the run, because it may have to read all pages for their digest. Errors: check_size(),
  // those of the options, and kCancelled.
  static Result<CollectionRun> create(const PageCollection& pages, const DedupOptions& options);
};

}  // namespace paraprint::inline api
