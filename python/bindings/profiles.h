// A profile as Python holds it.
#pragma once

#include <string>

#include "paraprint/model.h"

namespace paraprint::python {

struct HeldProfile {
  Profile value;
  std::string settings;  // Profiler::settings_identity() of what made it; empty: unknown
};

}  // namespace paraprint::python
