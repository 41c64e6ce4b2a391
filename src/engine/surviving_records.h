// The records that stay, an output for each input: which pages of it do not, and where it stands below records/.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "archive/record_writer.h"
#include "base/counters.h"
#include "base/progress.h"
#include "engine/run.h"
#include "memory/spill_array.h"
#include "paraprint/result.h"

namespace paraprint {

// The removed pages in the order of the input, and where those of each file begin.
struct RemovedPages {
  explicit RemovedPages(MemoryBudget* budget) : pages(budget) {}
  SpillArray<RemovedPage> pages;
  std::vector<std::size_t> begin;  // by file, and the end

  std::span<const RemovedPage> of_file(std::size_t file) const {
    return std::span<const RemovedPage>(pages).subspan(begin[file], begin[file + 1] - begin[file]);
  }
};

// Of a clustered run, whose pages are in the order of the input. Views point into the run.
Result<RemovedPages> list_removed_pages(const DedupRun& run);

// The place of each input below records/: its path below the folder that all inputs have in common. Two inputs never
// share one, since no input is named twice.
std::vector<std::string> surviving_record_names(const std::vector<InputFile>& inputs);

void add_write_counts(const WriteCounts& written, Counters& counters);

// The surviving records of all inputs, in records/ of the output folder. Adds its counts to `counters`.
Status write_surviving_records(const DedupRun& run, Counters& counters, ProgressReporter& progress);

}  // namespace paraprint
