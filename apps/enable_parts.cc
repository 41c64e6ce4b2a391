// Linked into every test program, fuzzer and benchmark that uses the optional parts of the library. GoogleTest walks
// the registry before main() begins, so a static initialiser enables them.
#include "paraprint/extensions.h"

namespace {

[[maybe_unused]] const bool kIsEnabled = [] {
  paraprint::enable_laboratory();
  paraprint::enable_semantics();
  return true;
}();

}  // namespace
