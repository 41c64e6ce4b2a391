// The inode number catches files replaced by a rename, which may keep size and modification time. Content is not read,
// because stamps are keys of caches of loaded models and word lists and must be cheap.
#include "base/file_stamp.h"

#include <fmt/format.h>

namespace paraprint::inline base {

std::string file_stamp(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? file_stamp(facts) : std::string();
}

std::string file_stamp(const struct stat& facts) {
  return fmt::format("{} {}.{:09} {}", facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, facts.st_ino);
}

}  // namespace paraprint::inline base
