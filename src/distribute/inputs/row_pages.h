// Converts rows of a table to pages.
#pragma once

#include "archive/http_payload.h"
#include "base/counters.h"
#include "paraprint/distributed.h"
#include "paraprint/read_options.h"

namespace paraprint::distribute::inputs {

// Decodes a row like an archive record with the same fields. An invalid date is counted and ignored.
DecodedRecord decode_row(const PageInputRow& row, const ReadOptions& options, Counters& counters);

}  // namespace paraprint::distribute::inputs
