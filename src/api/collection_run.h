// What the calls over pages of a program share.
#pragma once

#include "engine/pipeline.h"
#include "paraprint/options.h"
#include "paraprint/page_collection.h"
#include "paraprint/result.h"

namespace paraprint::inline api {

// A run that has pages of a program in place of files, and writes the output folder without records.
struct CollectionRun {
  DedupOptions options;
  MemoryRun memory;

  // Call it in the StopScope of the run, because it may have to read all pages for their digest. Errors: those of the
  // options and of the pages, and kCancelled.
  static Result<CollectionRun> create(const PageSequence& pages, const DedupOptions& options);
};

}  // namespace paraprint::inline api
