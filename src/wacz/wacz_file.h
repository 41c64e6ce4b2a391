// Writes a WACZ file, version 1.1.1: WARC files with an index, a list of pages, and digests of all of them.
//
//   archive/NAME.warc.gz      the archives, a gzip member per record
//   indexes/index.cdx.gz      sorted lines of CDXJ in blocks; index.idx says where each block begins
//   pages/pages.jsonl         the pages (page_list.h); extraPages.jsonl if an input has such a list
//   datapackage.json          names, sizes and SHA-256 of the members above; datapackage-digest.json has its own
//
// The bytes depend on the inputs and options alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "memory/memory_budget.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "paraprint/wacz.h"

namespace paraprint::inline wacz {

struct WaczPlan {
  std::vector<InputFile> inputs;  // of expand_inputs()
  std::string removed_path;       // removed.jsonl of the run that wrote them; empty: none
  const WaczOptions& options;
  unsigned threads = 1;
  MemoryBudget& budget;
};

// Writes `options.out`, complete or not at all. Inputs that are not WARC files, or cannot be read to their end, are
// warnings and counted. Progress: stages "archive", "pages" and "index". Errors: those of the output, of the
// budget's disk, kInvalidArgument if no input can be used, and kCancelled.
Result<WaczOutcome> write_wacz_file(const WaczPlan& plan, ProgressReporter& progress);

// Names in archive/ for these inputs, without a folder: the file names with the ending ".warc.gz", or if two inputs
// have one name, their paths. Every reader takes them (safe_wacz_name()), and they are different.
std::vector<std::string> names_in_wacz(const std::vector<InputFile>& inputs);

}  // namespace paraprint::inline wacz
