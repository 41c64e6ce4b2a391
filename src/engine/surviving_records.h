// Writes the surviving records, one output per input, below records/ in the output folder.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "archive/record_writer.h"
#include "base/counters.h"
#include "base/progress.h"
#include "engine/cluster_stage.h"
#include "engine/page_table.h"
#include "engine/read_stage.h"
#include "engine/run.h"
#include "memory/spill_array.h"
#include "paraprint/result.h"

namespace paraprint {

// The removed pages in input order, grouped by file.
struct RemovedPages {
  explicit RemovedPages(MemoryBudget* budget) : pages(budget) {}
  SpillArray<RemovedPage> pages;
  std::vector<std::size_t> begin;  // in `pages`, by file, and one past the last file

  std::span<const RemovedPage> of_file(std::size_t file) const {
    return std::span<const RemovedPage>(pages).subspan(begin[file], begin[file + 1] - begin[file]);
  }
};

// `input_count`: of the run, since the last inputs may have no pages. The views in the result point into `pages` and
// `decisions`. Errors: kLimitExceeded if there are more than `share_maximum` of the pages
// (OutputOptions::max_removed_share); those of the budget's disk.
Result<RemovedPages> list_removed_pages(std::size_t input_count, const PageTable& pages, const Decisions& decisions,
                                        double share_maximum);

// The path of each input below records/: its path relative to the deepest folder that contains all inputs. Names are
// unique, because no input occurs twice.
std::vector<std::string> surviving_record_names(const std::vector<InputFile>& inputs);

void add_write_counts(const WriteCounts& written, Counters& counters);

// Writes the surviving records of all inputs, one input per thread at a time. Returns its counters.
Result<Counters> write_surviving_records(const RunSetup& run, const ReadOutcome& read, const Decisions& decisions,
                                         ProgressReporter& progress);

}  // namespace paraprint
