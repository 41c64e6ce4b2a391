// A failed assertion aborts instead of throwing: a broken invariant must not be handled like an error, and the core
// dump shows the state that broke it.
#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace paraprint::inline base {

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "paraprint: internal error at %s:%d: %s\n", file, line, condition);
  std::abort();
}

}  // namespace paraprint::inline base
