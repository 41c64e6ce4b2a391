// The target of a request: path and query, taken apart and decoded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serve/refusal.h"

namespace paraprint {

struct TargetParameter {
  std::string name;
  std::string value;
};

struct Target {
  // Parts of the path between slashes, decoded one by one: "%2F" in a part is no border, and ".." is a name like any
  // other.
  std::vector<std::string> segments;
  std::vector<TargetParameter> parameters;
};

// kBadTarget for what begins with no slash, broken percent-encodings, and bytes that decode to no UTF-8.
Answer<Target> parse_target(std::string_view target);

// Nothing for a '%' without two hexadecimal digits behind it.
bool percent_decode(std::string_view text, bool plus_is_space, std::string& decoded);

}  // namespace paraprint
