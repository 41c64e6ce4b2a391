// Turns an errno into an Error with an actionable message. The only place that maps system errors to error codes.
#pragma once

#include <string_view>

#include "paraprint/result.h"

namespace paraprint::inline base {

// "cannot write out/clusters.tsv: No space left on device". `action` completes "cannot ..."; `path` is shown as given.
// ENOSPC, EDQUOT, EFBIG: kNoSpace. EACCES, EPERM, EROFS: kPermissionDenied. ENOENT, ENOTDIR: kNotFound.
// Anything else: kInputOutput. Thread-safe.
Error system_error(std::string_view action, std::string_view path, int error_number);

}  // namespace paraprint::inline base
