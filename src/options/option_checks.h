// Checks of option values, with one wording of the errors for all commands.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "paraprint/result.h"

namespace paraprint::inline options {

// kInvalidArgument: "NAME is VALUE; it must be RANGE". `range` is "1 to 16", "in (0, 1]", "at least 2", ...
template <class Number>
tl::unexpected<Error> outside(std::string_view name, Number value, std::string_view range) {
  return failure(ErrorCode::kInvalidArgument, fmt::format("{} is {}; it must be {}", name, value, range));
}

// The same for names: "NAME is 'VALUE'; it must be one of NAMES".
inline tl::unexpected<Error> not_one_of(std::string_view name, std::string_view value, std::string_view names) {
  return failure(ErrorCode::kInvalidArgument, fmt::format("{} is '{}'; it must be one of {}", name, value, names));
}

// Checks before a long computation that its output file can be created: the errors of AtomicFile::create(). Leaves no
// file behind.
inline Status check_output_file(const std::string& path) {
  const Result<AtomicFile> file = AtomicFile::create(path);
  return file ? Status{} : tl::unexpected<Error>(file.error());
}

// Maximum number of threads that a caller may request; 0 means one per processor.
inline constexpr unsigned kThreadsMaximum = 1024;

}  // namespace paraprint::inline options
