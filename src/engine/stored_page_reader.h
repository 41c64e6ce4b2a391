// Reads chosen pages of a run once more, for reports: their texts were not kept.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/run.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

// The main content of `pages` (any order, repeats allowed), by page number. Each input is opened once and read up to
// the last page wanted; records that can be addressed are jumped to. Pages that can't be read again (the input changed,
// or was standard input) are missing from the answer. Memory: the texts asked for.
Result<std::map<std::uint32_t, MainContent>> read_contents(const DedupRun& run, std::vector<std::uint32_t> pages);

}  // namespace paraprint
