// The C++ value behind paraprint.Profile.
#pragma once

#include <string>

#include "paraprint/model.h"

namespace paraprint::python {

struct HeldProfile {
  Profile value;
  std::string settings;  // Profiler::settings_identity() of its profiler; empty: unknown
};

}  // namespace paraprint::python
