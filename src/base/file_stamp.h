// Whether a file is still the one that was read.
#pragma once

#include <string>

namespace paraprint {

// Size, time of change and number of the file in its file system: another text where any of them is. Empty if there is
// no such file.
std::string file_stamp(const std::string& path);

}  // namespace paraprint
