// Result and Status: how every fallible call of paraprint answers. Bad input, a failing disk and a wrong option are
// values of this type; of exceptions, calls let std::bad_alloc through alone; our own mistakes abort (base/assert.h).
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace paraprint {

enum class ErrorCode {
  kInvalidArgument,   // an option or a call that can't be honoured; the message says what is allowed
  kNotFound,          // a file or a record that is not there
  kPermissionDenied,  // the system refused access
  kInputOutput,       // a read or a write failed; the message names file and system error
  kNoSpace,           // the disk (or the quota) is full: stop, nothing already written is lost
  kCorruptData,       // stored bytes contradict their own format or checksum
  kLimitExceeded,     // a named limit was passed; the message names it
  kUnsupported,       // understood, but not something this build can do
  kCancelled,         // asked to stop
};

struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;  // one line for a person: what, in which input, where, and what to do
};

template <class Value>
using Result = tl::expected<Value, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> failure(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

// A stable lower-case name ("no-space") for logs, counters and exit codes.
std::string_view error_code_name(ErrorCode code);

}  // namespace paraprint
