// The target of a request: path and query, split and decoded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serve/refusal.h"

namespace paraprint::inline service {

struct TargetParameter {
  std::string name;
  std::string value;
};

struct Target {
  // The segments of the path, decoded after splitting: "%2F" does not separate segments, and ".." is an ordinary name.
  std::vector<std::string> segments;
  std::vector<TargetParameter> parameters;
};

// kBadTarget if the target does not begin with a slash, has an invalid percent-encoding or does not decode to UTF-8.
Answer<Target> parse_target(std::string_view target);

// Replaces `decoded`; false for a '%' that is not followed by two hexadecimal digits.
bool percent_decode(std::string_view text, bool plus_is_space, std::string& decoded);

}  // namespace paraprint::inline service
