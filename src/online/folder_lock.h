// The lock of an index folder: one process changes the index, or any number of them read it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::inline online {

// flock() on the file "lock", which the kernel releases when the process ends, however it ends. Not thread-safe. A link
// or anything else that is no regular file is kUnsupported, and stays as it is.
class FolderLock {
 public:
  FolderLock() = default;  // locks nothing
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // For a process that changes the index. Creates the file, and stores the process id in it for messages. Errors:
  // kInvalidArgument, naming the process, if another one has the index open; kUnsupported if the file has the content
  // of something else, which stays; kPermissionDenied, kInputOutput.
  static Result<FolderLock> exclusive(const std::string& folder);
  // For a process that only reads it, without writing anything: permission to read is enough. A folder without the file
  // cannot be open in a process that changes it, so its lock locks nothing. Errors: kNotFound if the folder has been
  // removed; otherwise those of exclusive().
  static Result<FolderLock> shared(const std::string& folder);
  // exclusive() without the process id, for removing the folder. Empty if the folder is in use.
  static Result<std::optional<FolderLock>> for_removal(const std::string& folder);
  // For making a copy of an index in the folder, which is not an index yet: locks the file kCopyingFile. Empty if
  // another copy is being made there, or was until now. The file may be removed once nobody can look for it any more.
  static Result<std::optional<FolderLock>> for_copying(const std::string& folder);
  static constexpr std::string_view kCopyingFile = "copying";  // persisted in interrupted copies

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  static Result<FolderLock> open_file(const std::string& path, int flags);  // not locked yet
  Result<bool> try_lock(const std::string& path, int operation) const;      // false: another one has the lock

  int descriptor_ = -1;
};

}  // namespace paraprint::inline online
