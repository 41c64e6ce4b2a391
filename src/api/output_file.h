// The file that a call writes from archives: what it must not replace, and where its temporary files go.
#pragma once

#include <string>
#include <vector>

#include "archive/input_files.h"
#include "paraprint/result.h"

namespace paraprint::inline api {

// Replacing an input would lose it. Errors: kInvalidArgument, naming `out`.
Status refuse_inputs(const std::string& out, const std::vector<InputFile>& inputs);

// The folder for temporary files, which have no names: `chosen`, created if it is missing, or else that of `out`, which
// needs as much room. Without both, that of the system. Errors: those of create_folders().
Result<std::string> temporary_folder_beside(const std::string& out, const std::string& chosen);

}  // namespace paraprint::inline api
