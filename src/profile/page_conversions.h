// Conversions of pages that are in the same run.
#pragma once

#include <cstdint>

#include "memory/memory_budget.h"
#include "paraprint/result.h"
#include "profile/page_log.h"

namespace paraprint::inline profile {

// Leaves pages out of `log` that were made from another page in it: such a conversion is that page once more, in
// another format, and neither a page of its own nor a copy that could be removed. A conversion counts as the original
// of others if it comes before them in the log. Returns how many were left out.
//
// Call after the last append(), once. Cost: nothing without conversions, otherwise two passes over the log, and 24
// bytes per conversion on the budget. Errors: those of PageLog::read() and of the budget's disk.
Result<std::uint64_t> leave_out_conversions(PageLog& log, MemoryBudget* budget);

}  // namespace paraprint::inline profile
