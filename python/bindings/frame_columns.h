// What a run decided about the rows of a table in memory, as columns for Python.
#pragma once

#include "arrow_output.h"
#include "paraprint/memory_pages.h"
#include "table_pages.h"

namespace paraprint::python {

// One row per row of the table `pages` was made from, in its order, with the columns
//
//   cluster       number from 0, in the order of first rows; null for a row that was not compared
//   cluster_size  rows with that number; null as above
//   is_kept       true as well for a row that was not compared
//   kept_row      number of the row that is kept for this one; null as above
//   verdict       "this row is VERDICT the kept row"; null for a kept row
//   score         resemblance of the two; null for a kept row
//
// Raises what OutputColumn::append() returns. Requires the GIL. Cost: O(rows * log chunks), about 40 bytes per row.
OutputBatch frame_columns(const TablePages& pages, const DeduplicatePagesOutcome& outcome);

}  // namespace paraprint::python
