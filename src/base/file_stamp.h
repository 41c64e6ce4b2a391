// Detects whether a file has changed since it was read.
#pragma once

#include <string>

namespace paraprint::inline base {

// Size, modification time and inode number as text; a change in any of them changes the text. Empty if the file does
// not exist.
std::string file_stamp(const std::string& path);

}  // namespace paraprint::inline base
