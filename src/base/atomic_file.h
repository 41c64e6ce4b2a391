// Files that are either complete or not there. Bytes go to NAME.partial; commit() makes them durable (fsync), renames
// the file over NAME and makes the name durable (fsync of the folder). Whoever sees NAME sees all of it, also after a
// kill or a power cut; a NAME.partial left by a killed process is overwritten by the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint {

// One writer at a time; not thread-safe. Call order: create, write*, commit. After an error or a commit no more calls
// but the destructor, which removes NAME.partial unless the commit succeeded; NAME is then as it was before.
//
// Errors (system_error.h): kNoSpace, kPermissionDenied, kNotFound (no such folder), kInputOutput; the message names
// the file. A write may report late: the bytes are buffered, so only commit() says that all of them are on the disk.
class AtomicFile {
 public:
  // Opens `path`.partial, emptying it if it exists. The folder must exist (create_folders below).
  static Result<AtomicFile> create(std::string path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  Status write(std::string_view bytes);

  // Flushes, syncs and renames.
  Status commit();

  // The final name.
  const std::string& path() const { return path_; }
  // Bytes given to write() so far.
  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  AtomicFile(std::string path, int descriptor);
  Status flush();
  void abandon();

  std::string path_;
  std::string buffer_;
  std::uint64_t size_bytes_ = 0;
  int descriptor_ = -1;  // -1: committed, moved from, or failed
};

// The name under which an AtomicFile for `path` is written until it is committed.
std::string partial_path(std::string_view path);

// Makes the name of a new or renamed file durable: a file is safe only when the folder that holds its name is.
Status sync_folder_of(const std::string& path);

// create, write, commit.
Status write_file_atomically(std::string path, std::string_view bytes);

// Makes `path` and every folder above it that is missing. A folder that exists is success; a file in the way is an
// error.
Status create_folders(const std::string& path);

}  // namespace paraprint
