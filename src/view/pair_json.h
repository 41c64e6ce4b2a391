// Two pages side by side as JSON: the same layout as the report's (report/comparison.h), line by line.
#pragma once

#include "report/comparison.h"
#include "report/json_writer.h"

namespace paraprint::inline explorer {

// Writes the members of the open object.
void write_comparison(const Comparison& comparison, JsonWriter& json);

}  // namespace paraprint::inline explorer
