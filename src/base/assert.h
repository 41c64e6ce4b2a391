// PARAPRINT_ASSERT(condition): an invariant of the program, checked in every build. Bad input is an Error instead.
#pragma once

namespace paraprint::inline base {

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace paraprint::inline base

#define PARAPRINT_ASSERT(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::paraprint::assertion_failed(#condition, __FILE__, __LINE__))
