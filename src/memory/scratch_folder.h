// Where temporary files go, and folders of such files that are removed at the end.
#pragma once

#include <string>

#include "paraprint/result.h"

namespace paraprint::inline memory {

// `chosen`, or the system's folder for temporary files if that is empty: TMPDIR, or /tmp. Whether it can be used shows
// when it is used.
std::string temporary_folder(const std::string& chosen);

// A new folder that is removed with everything in it at the end of the scope. Movable.
class ScratchFolder {
 public:
  // In temporary_folder(`chosen`), which is created if it is missing. The name begins with `prefix`. Errors:
  // kPermissionDenied, kNoSpace, kInputOutput or kNotFound, each naming the folder.
  static Result<ScratchFolder> create(const std::string& chosen, const std::string& prefix);

  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path);

  std::string path_;
};

}  // namespace paraprint::inline memory
