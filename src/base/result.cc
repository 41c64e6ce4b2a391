// Names of error codes. They appear in logs and counters and must not change.
#include "paraprint/result.h"

namespace paraprint {

std::string_view error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid-argument";
    case ErrorCode::kNotFound:
      return "not-found";
    case ErrorCode::kPermissionDenied:
      return "permission-denied";
    case ErrorCode::kInputOutput:
      return "input-output";
    case ErrorCode::kNoSpace:
      return "no-space";
    case ErrorCode::kCorruptData:
      return "corrupt-data";
    case ErrorCode::kLimitExceeded:
      return "limit-exceeded";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kCancelled:
      return "cancelled";
  }
  return "unknown";
}

}  // namespace paraprint
