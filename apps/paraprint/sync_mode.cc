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
        Error{ErrorCode::kInvalidArgument, fmt::format("--sync {}: give always, interval or none", name)});
  }
  return {};
}

}  // namespace paraprint::cli
