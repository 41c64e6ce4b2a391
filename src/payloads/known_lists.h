// Finds the lists of captures of earlier collections that a user names: index files, or output folders with one.
#pragma once

#include <string>
#include <vector>

#include "paraprint/result.h"

namespace paraprint::inline payloads {

// The files that `named` stands for, in its order: a file is itself, a folder its index.cdxj or else its index.cdx.
// `out` is the folder that the run will write to. Whether a file can be read, read_list() says.
//
// Errors: kInvalidArgument for a folder without such a file, with advice on how to make one; for an index of pages,
// which lists no payloads; and for a list inside `out`, whose records the run would replace. Those of the file system.
Result<std::vector<std::string>> find_known_lists(const std::vector<std::string>& named, const std::string& out);

}  // namespace paraprint::inline payloads
