// The value of --sync.
#pragma once

#include <string>

#include "paraprint/index.h"
#include "paraprint/result.h"

namespace paraprint::cli {

// Accepts "always", "interval" and "none"; kInvalidArgument otherwise.
Status parse_sync_mode(const std::string& name, SyncMode& mode);

}  // namespace paraprint::cli
