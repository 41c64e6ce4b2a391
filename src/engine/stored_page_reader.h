// Reads selected pages of a run again, because their texts are not stored: for the report and for word alignment.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/read_stage.h"
#include "engine/run.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline engine {

// The main content of the pages `wanted` (in any order, repeats allowed), by page number. Each input is read front to
// back up to the last page wanted; records that can be addressed directly are jumped to. Pages that are not there any
// more, because the input was moved or changed, are missing from the result, and so are unreadable pages of inputs that
// the run could not read to their end. Other errors of reading are returned: a result without the page would not be
// that of the run. Memory: the texts asked for.
Result<std::map<std::uint32_t, MainContent>> read_contents(const RunSetup& run, const ReadOutcome& read,
                                                           std::vector<std::uint32_t> wanted);

}  // namespace paraprint::inline engine
