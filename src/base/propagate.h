// How an error is returned to the caller, in one word:
//
//   PARAPRINT_TRY(file.write(bytes));                             // a Status, or a Result whose value is not needed
//   PARAPRINT_ASSIGN(const Profile profile, read_profile(path));  // the value of a Result
//
// Both return the error from the enclosing function, which itself returns a Status or a Result. PARAPRINT_ASSIGN
// declares a variable, so it cannot be the only statement of an `if` or a loop. A type with a comma outside parentheses
// has to be written as `auto`. PARAPRINT_TRY is an `if` without braces, so that it adds no level of nesting; before an
// `else` it needs braces around it, and compilers warn where they are missing.
#pragma once

#include <utility>

#include "paraprint/result.h"

// Each use has a variable of its own name, so that a use inside a lambda inside another use shadows nothing.
#define PARAPRINT_JOIN(a, b) PARAPRINT_JOIN_EXPANDED(a, b)
#define PARAPRINT_JOIN_EXPANDED(a, b) a##b
#define PARAPRINT_RESULT PARAPRINT_JOIN(paraprint_result_, __COUNTER__)

#define PARAPRINT_TRY(...) PARAPRINT_TRY_AS(PARAPRINT_RESULT, __VA_ARGS__)
#define PARAPRINT_TRY_AS(result, ...) \
  if (auto&& result = (__VA_ARGS__); !result) return ::tl::unexpected<::paraprint::Error>(result.error())

#define PARAPRINT_ASSIGN(declaration, ...) PARAPRINT_ASSIGN_AS(PARAPRINT_RESULT, declaration, __VA_ARGS__)
#define PARAPRINT_ASSIGN_AS(result, declaration, ...)                       \
  auto&& result = (__VA_ARGS__);                                            \
  if (!result) return ::tl::unexpected<::paraprint::Error>(result.error()); \
  declaration = *std::forward<decltype(result)>(result)

namespace paraprint::inline base {

// For functions that look at a result before they return its error: `return pass_on(file.error());`.
inline tl::unexpected<Error> pass_on(Error& error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace paraprint::inline base
