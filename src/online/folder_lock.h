// The lock of an index folder: one process changes the index, or any number of them read it.
#pragma once

#include <optional>
#include <string>

#include "paraprint/result.h"

namespace paraprint::inline online {

// flock() on the file "lock", which the kernel releases when the process ends, however it ends. Not thread-safe.
class FolderLock {
 public:
  FolderLock() = default;  // locks nothing
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // For a process that changes the index. Creates the file, and stores the process id in it for messages. Errors:
  // kInvalidArgument, naming the process, if another one has the index open; kPermissionDenied, kInputOutput.
  static Result<FolderLock> exclusive(const std::string& folder);
  // For a process that only reads it, without writing anything: permission to read is enough. A folder without the file
  // cannot be open in a process that changes it, so its lock locks nothing. Errors: kNotFound if the folder has been
  // removed; otherwise those of exclusive().
  static Result<FolderLock> shared(const std::string& folder);
  // exclusive() without the process id, for removing the folder. Empty if the folder is in use.
  static Result<std::optional<FolderLock>> for_removal(const std::string& folder);

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
};

}  // namespace paraprint::inline online
