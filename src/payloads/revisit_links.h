// Finds the capture that each revisit record of the inputs refers to, and all captures that a player may show for one.
//
// Players look up the address and second that a revisit record states; its digest, among the captures of its own
// address, if it states no other place; and for "not modified" the capture of the address before it. Ids identify
// records by the standard, so they come first here; whatever a player finds by address and second must stay as well.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "memory/memory_budget.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "payloads/link_tables.h"
#include "payloads/revisit_names.h"

namespace paraprint::inline payloads {

// How the inputs are read. References must stay valid.
struct LinkSources {
  const std::vector<InputFile>& inputs;
  const std::set<std::uint32_t>& with_revisits;  // the inputs that have revisit records
  const ReadOptions& reading;
  // Inputs that could not be read to their end: what is before the error counts.
  const std::set<std::uint32_t>& inputs_ended_early;
  unsigned threads = 1;
};

// Reads the inputs with revisit records, and then all inputs once more for the captures. Records larger than
// ReadOptions::max_record_bytes are found by id, place and address, not by a digest that they do not state. The result
// does not depend on the number of threads. Errors: those of reading and of the budget's disk, and kCancelled. Memory:
// that of LinkTables. Progress: stage "revisits".
Result<RevisitLinks> find_revisit_links(const LinkSources& sources, MemoryBudget* budget, ProgressReporter& progress);

// The part of one input: its revisit records or, with `claimed`, the captures that have a claimed name.
struct LinkReading {
  const ReadOptions& options;
  bool ends_early = false;                // as LinkSources::inputs_ended_early
  const ClaimedNames* claimed = nullptr;  // null: the revisit records
};
// Calls `visit` in the order of the input, and `advance` with the stored bytes read since its last call. Errors: those
// of reading and of `visit`, and kCancelled. Memory: one record.
Status read_linked_records(const InputFile& input, const LinkReading& reading,
                           const std::function<Status(LinkedRecord&&)>& visit,
                           const std::function<void(std::uint64_t)>& advance);

}  // namespace paraprint::inline payloads
