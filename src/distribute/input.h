// Finds an input returned by list_distributed_inputs().
#pragma once

#include <string>

#include "archive/input_files.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::distribute {

// `path` may be a folder of pages, even if archives in it are inputs of their own. kNotFound if it is not an input; the
// errors of expand_inputs().
Result<InputFile> find_input(const std::string& path, const ReadOptions& options);

}  // namespace paraprint::distribute
