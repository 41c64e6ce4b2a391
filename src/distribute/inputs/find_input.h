// Finds an input returned by list_distributed_inputs(), or makes that of a source.
#pragma once

#include "archive/input_files.h"
#include "paraprint/byte_source.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::distribute::inputs {

// The path may be that of a folder of pages, even if archives in it are inputs of their own. kNotFound if it is not an
// input, or not one of the WACZ file that a source reads; the errors of expand_inputs(), and those of the source. Safe
// for concurrent use. Cost: that of listing the folder or WACZ file, whose listing is kept until the next one: an
// unchanged file is listed once for all of its parts that are asked for in a row.
Result<InputFile> find_input(const DistributedInput& given, const ReadOptions& options);

}  // namespace paraprint::distribute::inputs
