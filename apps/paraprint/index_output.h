// What the subcommands of `paraprint index` print besides answers about pages (docs/cli.md).
#pragma once

#include <string>

#include "paraprint/index.h"
#include "paraprint/result.h"

namespace paraprint::cli {

// `profile` may be null.
Status print_stored(const IndexedPage& page, const Profile* profile);
Status print_statistics(const IndexStatistics& statistics);
Status print_verification(const IndexVerification& verification);
Status print_count(const char* name, std::uint64_t count);
Status print_deleted(const std::string& id, bool was_there);

// "always", "interval", "none".
Status parse_sync_mode(const std::string& name, SyncMode& mode);

}  // namespace paraprint::cli
