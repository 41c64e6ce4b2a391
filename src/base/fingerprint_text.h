// A fingerprint as text, for messages and names: 32 hexadecimal digits.
#pragma once

#include <fmt/format.h>

#include <string>

#include "paraprint/model.h"

namespace paraprint::inline base {

inline std::string hex_of(const Fingerprint128& value) {
  return fmt::format("{:016x}{:016x}", value.high, value.low);
}

}  // namespace paraprint::inline base
