// Only errors that users can act on have a code of their own.
#include "base/system_error.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace paraprint::inline base {
namespace {

ErrorCode code_of(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:  // RLIMIT_FSIZE, which tests use to simulate a full disk
      return ErrorCode::kNoSpace;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::kPermissionDenied;
    case ENOENT:
    case ENOTDIR:
      return ErrorCode::kNotFound;
    default:
      return ErrorCode::kInputOutput;
  }
}

}  // namespace

Error system_error(std::string_view action, std::string_view path, int error_number) {
  // generic_category().message() is a thread-safe strerror().
  return {code_of(error_number),
          fmt::format("cannot {} {}: {}", action, path, std::generic_category().message(error_number))};
}

}  // namespace paraprint::inline base
