// PARAPRINT_ASSERT(condition): a programmer's belief, checked in every build. Never for input: that gets an Error.
#pragma once

namespace paraprint {
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);
}  // namespace paraprint

#define PARAPRINT_ASSERT(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::paraprint::assertion_failed(#condition, __FILE__, __LINE__))
