// Reads selected pages of a run again, because their texts are not stored: for the report and for word alignment.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "archive/input_files.h"
#include "engine/page_table.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint {

// The main content of the pages `wanted` (in any order, repeats allowed), by page number. Each input is read front to
// back up to the last page wanted; records that can be addressed directly are jumped to. Pages that cannot be read
// again, for example because the input changed, are missing from the result. Memory: the texts asked for.
Result<std::map<std::uint32_t, MainContent>> read_contents(const std::vector<InputFile>& inputs,
                                                           const DedupOptions& options, const PageTable& pages,
                                                           std::vector<std::uint32_t> wanted);

}  // namespace paraprint
