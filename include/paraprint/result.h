// Result and Status, the return types of every fallible function: bad input, disk failures and wrong options are
// values. Functions report errors through Result. The only exception they let escape is std::bad_alloc. Programming
// errors abort (base/assert.h).
//
// Example:
//
//   Result<int> half = 21;
//   if (half) ++*half;
//   Status status = failure(ErrorCode::kInvalidArgument, "43: not an even number");
//   if (!status) std::string message = status.error().message;
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace paraprint {

enum class ErrorCode {
  kInvalidArgument,   // an invalid option or call; the message says what is allowed
  kNotFound,          // a file or record does not exist
  kPermissionDenied,  // the system denied access
  kInputOutput,       // a read or write failed; the message gives the file and the system error
  kNoSpace,           // the disk or quota is full; nothing already written is lost
  kCorruptData,       // stored bytes contradict their format or checksum
  kLimitExceeded,     // a limit was exceeded; the message names it
  kUnsupported,       // valid, but not supported by this build
  kCancelled,         // the call was asked to stop (RunControl::stop)
};

struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;  // one human-readable line: the problem, the input and location, and what to do
};

template <class Value>
using Result = tl::expected<Value, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> failure(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

// A stable lower-case name, such as "no-space", for logs and counters.
std::string_view error_code_name(ErrorCode code);

}  // namespace paraprint
