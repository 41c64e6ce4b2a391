#include "paraprint/options.h"

#include <fmt/format.h>

namespace paraprint {

Status MatchOptions::validate() const {
  const auto outside = [](std::string_view name, double value, std::string_view range) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{} is {}; it must be in {}", name, value, range));
  };
  if (paragraph_distance_bits < 0 || paragraph_distance_bits > 32) {
    return outside("paragraph_distance_bits", paragraph_distance_bits, "0 to 32");
  }
  if (!(near_resemblance > 0 && near_resemblance <= 1)) {
    return outside("near_resemblance", near_resemblance, "(0, 1]");
  }
  if (!(containment > 0 && containment <= 1)) return outside("containment", containment, "(0, 1]");
  if (!(list_weight > 0 && list_weight <= 10)) return outside("list_weight", list_weight, "(0, 10]");
  if (!(after_heading_weight > 0 && after_heading_weight <= 10)) {
    return outside("after_heading_weight", after_heading_weight, "(0, 10]");
  }
  return {};
}

}  // namespace paraprint
