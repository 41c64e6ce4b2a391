// The lock is on a file inside the unfinished copy, so that nothing is left next to it, and not on the file "lock",
// which whoever opens the copy to check it locks. The file goes after the folder has its name: before that, another
// process could create it again and take the folder for the remains of an interrupted copy.
#include "online/index_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/system_error.h"

namespace paraprint::inline online {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> copy_failure(std::string_view action, const std::string& path, const std::error_code& failed) {
  return tl::unexpected<Error>(system_error(action, path, failed.value()));
}

// The folder's name without trailing slashes, so that a suffix can be appended to it.
std::string plain_name(const std::string& folder) {
  std::string name = folder;
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  return name;
}

Status check_is_free(const std::string& folder) {
  PARAPRINT_ASSIGN(const bool exists, path_exists(folder));
  if (!exists) return {};
  return failure(ErrorCode::kInvalidArgument, fmt::format("{} already exists; choose a folder that does not", folder));
}

// Nothing is removed that a copy does not have.
Status check_may_be_removed(const std::string& partial) {
  Status is_copy = check_is_copy(partial);
  if (is_copy || is_copy.error().code == ErrorCode::kNotFound) return {};
  if (is_copy.error().code != ErrorCode::kInvalidArgument) return is_copy;
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("{}, but has the name of an unfinished copy; move it away, or choose another folder for "
                             "the copy",
                             is_copy.error().message));
}

// Removes the remains of an interrupted copy, except the file that is locked.
Status clear_remains(const std::string& partial) {
  PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(partial));
  for (const std::string& name : names) {
    if (name == FolderLock::kCopyingFile) continue;
    const std::string path = fmt::format("{}/{}", partial, name);
    std::error_code failed;
    fs::remove_all(path, failed);
    if (failed) return copy_failure("remove", path, failed);
  }
  return {};
}

Status sync_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  const int failed = ::fsync(descriptor);
  const int error_number = errno;
  ::close(descriptor);
  if (failed != 0) return tl::unexpected<Error>(system_error("sync", path, error_number));
  return {};
}

// Makes every file in `folder` durable, and every directory entry.
Status sync_copy(const std::string& folder) {
  PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(folder));
  for (const std::string& name : names) {
    const std::string path = fmt::format("{}/{}", folder, name);
    std::error_code failed;
    const bool is_folder = fs::is_directory(path, failed);
    if (failed) return copy_failure("read", path, failed);
    PARAPRINT_TRY(is_folder ? sync_copy(path) : sync_file(path));
  }
  return sync_folder_of(folder + "/.");
}

}  // namespace

Status check_is_copy(const std::string& folder) {
  // A kill may leave what RocksDB and AtomicFile have not renamed yet.
  constexpr std::array<std::string_view, 8> kNames = {FolderLock::kCopyingFile, "database", "database.tmp", "format",
                                                      "format.partial",         "lock",     "lock.partial", "tables"};
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(folder, failed);
  if (!fs::exists(status)) {
    return tl::unexpected<Error>(system_error("open", folder, failed ? failed.value() : ENOENT));
  }
  if (!fs::is_directory(status)) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{} is a link or no folder", folder));
  }
  PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(folder));
  for (const std::string& name : names) {
    if (std::ranges::find(kNames, name) != kNames.end()) continue;
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{} contains other files than a copy of an index ({})", folder, name));
  }
  return {};
}

Status sync_folders_above(const std::string& folder) {
  for (fs::path path = canonical_path(folder); path.has_relative_path(); path = path.parent_path()) {
    const Status synced = sync_folder_of(path.string());
    if (!synced && synced.error().code != ErrorCode::kPermissionDenied) return synced;
  }
  return {};
}

Result<IndexCopy> IndexCopy::start(const std::string& folder) {
  std::string name = plain_name(folder);
  PARAPRINT_TRY(check_is_free(name));
  std::string partial = partial_path(name);
  PARAPRINT_TRY(check_may_be_removed(partial));
  PARAPRINT_TRY(create_folders(partial));
  PARAPRINT_ASSIGN(std::optional<FolderLock> lock, FolderLock::for_copying(partial));
  if (!lock) return failure(ErrorCode::kInvalidArgument, fmt::format("another copy to {} is in progress", name));
  IndexCopy copy(std::move(name), std::move(partial), std::move(*lock));
  // Again, because another copy may have been finished meanwhile.
  if (Status is_free = check_is_free(copy.folder_); !is_free) {
    return tl::unexpected<Error>(copy.finish(is_free).error());
  }
  PARAPRINT_TRY(clear_remains(copy.partial_));
  return copy;
}

// The folder goes also if its name could not be made durable.
Status IndexCopy::finish(Status copied) {
  std::error_code failed;
  if (copied) copied = sync_copy(partial_);
  if (!copied) {
    fs::remove_all(partial_, failed);
    return copied;
  }
  const std::string lock_file = fmt::format("{}/{}", folder_, FolderLock::kCopyingFile);
  fs::rename(partial_, folder_, failed);
  if (failed) return copy_failure("rename the finished copy to", folder_, failed);
  ::unlink(lock_file.c_str());
  Status synced = sync_folders_above(folder_);
  if (!synced) fs::remove_all(folder_, failed);
  return synced;
}

}  // namespace paraprint::inline online
