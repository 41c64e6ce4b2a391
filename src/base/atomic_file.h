// Files that are either complete or absent. Bytes go to NAME.partial; commit() makes them durable (fsync), renames the
// file to NAME and makes the name durable (fsync of the folder). If NAME exists, it is complete, even after a kill or a
// power failure; a NAME.partial left by a killed process is overwritten by the next one. If NAME is a link to a file,
// that file is replaced, and the link stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"

namespace paraprint::inline base {

// Where writers of formats put their bytes: a file, or a part of one. Not thread-safe. After an error, nothing more may
// be written.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status write(std::string_view bytes) = 0;

 protected:
  ByteSink() = default;
  ByteSink(const ByteSink&) = default;
  ByteSink& operator=(const ByteSink&) = default;
};

// Not thread-safe. Call order: create, write*, commit. After an error or a commit, only the destructor may be called.
// It removes NAME.partial if it is left. NAME stays as it was unless the commit succeeded, or failed only in its last
// step, the sync of the folder.
//
// Errors (system_error.h): kNoSpace, kPermissionDenied, kNotFound (no such folder), kInputOutput, each naming the file;
// kInvalidArgument if NAME is something else than a file: a folder or device; kCancelled (stop.h). Writes are buffered,
// so an error may be reported late: only a successful commit() means that all bytes are on disk.
class AtomicFile final : public ByteSink {
 public:
  // Opens partial_path(), emptying it if it exists. The folder must exist (create_folders below).
  static Result<AtomicFile> create(std::string stated_path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile() override;

  Status write(std::string_view bytes) override;

  // Replaces bytes that were written before: all of them must be below size_bytes(). For formats that state sizes in
  // front of what they measure.
  Status overwrite(std::uint64_t offset_bytes, std::string_view bytes);

  // Hands what was written to the system, so that it can be read from partial_path() by then.
  Status flush();

  // Flushes, syncs and renames.
  Status commit();

  // The final name: where the stated one leads, if that is a link.
  const std::string& path() const { return path_; }
  // Bytes given to write() so far.
  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  AtomicFile(std::string path, int descriptor);
  void abandon();

  std::string path_;
  std::string buffer_;
  std::uint64_t size_bytes_ = 0;
  int descriptor_ = -1;  // -1: committed, moved from, or failed
};

// The name of the file that an AtomicFile for `path` writes to before commit(): NAME.partial, or a short name made from
// a hash of NAME where that would be longer than file systems allow.
std::string partial_path(std::string_view path);

// Makes the name of a new or renamed file durable by syncing the folder that contains it.
Status sync_folder_of(const std::string& path);

// Creates, writes and commits an AtomicFile.
Status write_file_atomically(std::string path, std::string_view bytes);

// Creates `path` and all missing parent folders. Succeeds if the folder exists; fails if a file is in the way.
Status create_folders(const std::string& path);

// Whether there is anything at `path`. An error of asking is not taken for absence: kPermissionDenied, kInputOutput.
Result<bool> path_exists(const std::string& path);

// `path` from the root on, without "." and "..". If the working folder is gone, a relative path stays relative: using
// it fails later, with its own message. Unlike the functions of std::filesystem that take an error code, which give an
// empty path, it throws std::bad_alloc if it runs out of memory.
std::string absolute_path(const std::string& path);

// The same with symbolic links followed, as far as the path exists and may be examined.
std::string canonical_path(const std::string& path);

// The content of a file that is small enough to be held as a whole. Errors: kNotFound if there is none,
// kPermissionDenied, kInputOutput.
Result<std::string> read_whole_file(const std::string& path);

// The names in `folder`, sorted, without "." and "..". Unlike the iterators of std::filesystem, which end the process,
// it throws std::bad_alloc if it runs out of memory. Errors: kNotFound, kPermissionDenied, kInputOutput.
Result<std::vector<std::string>> names_in_folder(const std::string& folder);

}  // namespace paraprint::inline base
