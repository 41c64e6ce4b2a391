// The C++ value behind paraprint.Profile.
#pragma once

#include <string>

#include "paraprint/model.h"
#include "paraprint/page_fingerprint.h"

namespace paraprint::python {

struct HeldProfile {
  Profile value;
  std::string settings;  // Profiler::settings_identity() of its profiler; empty: unknown
  // By the page-level algorithm of its profiler; empty under the paragraph method, and for a profile from bytes.
  PageFingerprint fingerprint = {};
  std::string origin = {};  // what the page states (Profiler::origin()), if it was asked for
};

}  // namespace paraprint::python
