// Stable names of enumeration values, as used in tables, JSON and language bindings.
#pragma once

#include <string_view>

#include "paraprint/model.h"

namespace paraprint {

// "same", "near", "contained", "contains", "overlap", "distinct": persisted in tables, never changed.
std::string_view verdict_name(Verdict verdict);

}  // namespace paraprint
