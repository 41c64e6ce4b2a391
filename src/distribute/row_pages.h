// Rows of a table as pages, for every stage that reads them.
#pragma once

#include "archive/http_payload.h"
#include "base/counters.h"
#include "paraprint/distributed.h"
#include "paraprint/read_options.h"

namespace paraprint::distribute {

// What a record with these fields would give. A date that is none is counted and left out.
DecodedRecord decode_row(const PageInputRow& row, const ReadOptions& options, Counters& counters);

}  // namespace paraprint::distribute
