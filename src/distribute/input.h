// One of the inputs that list_distributed_inputs() names.
#pragma once

#include <string>

#include "archive/input_files.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::distribute {

// Also of a folder of pages, which may hold archives that are inputs of their own. Errors: as expand_inputs().
Result<InputFile> find_input(const std::string& path, const ReadOptions& options);

}  // namespace paraprint::distribute
