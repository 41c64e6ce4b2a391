// The version is compiled into this one file, so that a new one does not rebuild the others.
#include "paraprint/engine.h"

namespace paraprint {

std::string_view version() {
  return PARAPRINT_VERSION;
}

}  // namespace paraprint
