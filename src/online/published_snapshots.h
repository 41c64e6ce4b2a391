// The snapshots that a writing process publishes for readers, in the folder "snapshots" of an index
// (docs/formats/index.md). A snapshot is a complete index that never changes. The file "current" names the newest one;
// it is replaced atomically, so a reader finds the snapshot before or the one after.
//
// A reader holds the lock of the snapshot that it has open, and the writer removes only those that no reader holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "paraprint/result.h"

namespace paraprint::inline online {

struct PublishedSnapshot {
  std::uint64_t number = 0;         // ascending, from 1
  std::uint64_t taken_seconds = 0;  // Unix time
  std::uint64_t change = 0;         // IndexDatabase::last_change() of the index

  friend bool operator==(const PublishedSnapshot&, const PublishedSnapshot&) = default;
};

// The newest snapshot of the index; none if it publishes none. Errors: kCorruptData, kPermissionDenied, kInputOutput.
Result<std::optional<PublishedSnapshot>> read_published_snapshot(const std::string& index_folder);

// The folder of a snapshot.
std::string snapshot_path(const std::string& index_folder, std::uint64_t number);

// Creates the folder of snapshots, and returns a number that none has used so far. Requires the index's lock. Errors:
// kInvalidArgument if the folder is a link; those of create_folders() and names_in_folder().
Result<std::uint64_t> next_snapshot_number(const std::string& index_folder);

// Makes a finished snapshot the newest one, then removes older ones, except the one before it, which a reader may be
// about to open, those in use, and folders that are no copies of an index. Requires the index's lock. Errors are those
// of the first half; what could not be removed is tried again next time.
Status publish_snapshot(const std::string& index_folder, const PublishedSnapshot& snapshot);

}  // namespace paraprint::inline online
