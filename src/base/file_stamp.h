// Detects whether a file has changed since it was read.
#pragma once

#include <sys/stat.h>

#include <string>

namespace paraprint::inline base {

// Size, modification time and inode number as text; a change in any of them changes the text. Empty if the file does
// not exist.
std::string file_stamp(const std::string& path);
// The same of a file that was examined before.
std::string file_stamp(const struct stat& facts);

}  // namespace paraprint::inline base
