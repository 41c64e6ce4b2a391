// An errno as an Error that a person can act on: the one place where system error numbers become error codes.
#pragma once

#include <string_view>

#include "paraprint/result.h"

namespace paraprint {

// "cannot write out/clusters.tsv: No space left on device". `action` completes "cannot ...", `path` is named as given.
// ENOSPC, EDQUOT, EFBIG: kNoSpace. EACCES, EPERM, EROFS: kPermissionDenied. ENOENT, ENOTDIR: kNotFound.
// Anything else: kInputOutput. Thread-safe.
Error system_error(std::string_view action, std::string_view path, int error_number);

}  // namespace paraprint
