// A copy of an index in the making: a folder with a temporary name, which gets its own name when it is complete and on
// disk. So a folder with the final name is always complete.
#pragma once

#include <string>
#include <utility>

#include "online/folder_lock.h"
#include "paraprint/result.h"

namespace paraprint::inline online {

// Whether `folder` has nothing but what a copy of an index has, complete or not, so that it may be removed as one.
// Errors: kNotFound; kInvalidArgument, naming what else is there, also if `folder` is a link or no folder;
// kPermissionDenied, kInputOutput.
Status check_is_copy(const std::string& folder);

// Makes the name of `folder`, which exists, durable, and those of the folders above it, which may be as new: a power
// cut could take a folder away in which every file was synced. Folders that may not be read cannot be synced and are
// left. Errors: kInputOutput and the others of system_error().
Status sync_folders_above(const std::string& folder);

// Not thread-safe. An object that is destroyed before finish() leaves its files, which the next copy of the same name
// removes.
class IndexCopy {
 public:
  // Begins a copy to `folder`, and removes the remains of an interrupted one. Errors: kInvalidArgument if something is
  // there, if another copy to it is being made, or if its temporary name belongs to something else; those of
  // create_folders() and names_in_folder().
  static Result<IndexCopy> start(const std::string& folder);

  // Where the files are to be written.
  const std::string& path() const { return partial_; }

  // Syncs the files and gives the folder its name, if `copied` is a success; otherwise, and if that fails, removes it.
  // Errors: `copied`; kInputOutput and the others of system_error().
  Status finish(Status copied);

 private:
  IndexCopy(std::string folder, std::string partial, FolderLock lock)
      : folder_(std::move(folder)), partial_(std::move(partial)), lock_(std::move(lock)) {}

  std::string folder_;
  std::string partial_;
  FolderLock lock_;  // until the folder has its name or is gone
};

}  // namespace paraprint::inline online
