// Shared by `index add` and `serve`, so that both accept the same names and reject others with the same message.
#include "sync_mode.h"

#include <fmt/format.h>

namespace paraprint::cli {

Status parse_sync_mode(const std::string& name, SyncMode& mode) {
  if (name == "always") {
    mode = SyncMode::kAlways;
  } else if (name == "interval") {
    mode = SyncMode::kInterval;
  } else if (name == "none") {
    mode = SyncMode::kNone;
  } else {
    return tl::unexpected<Error>(
        Error{ErrorCode::kInvalidArgument, fmt::format("--sync is '{}'; it must be always, interval or none", name)});
  }
  return {};
}

}  // namespace paraprint::cli
