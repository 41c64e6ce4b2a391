// The value of --sync.
#pragma once

#include <string>

#include "paraprint/index.h"
#include "paraprint/result.h"

namespace paraprint::cli {

// "always", "interval", "none".
Status parse_sync_mode(const std::string& name, SyncMode& mode);

}  // namespace paraprint::cli
